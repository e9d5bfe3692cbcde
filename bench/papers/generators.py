"""Small generators of digits, trained in minutes on a CPU: a VAE, a GAN, a Wasserstein GAN.

All three train one network, `network()`, from Gaussian noise to grey levels:

    vae   against an encoder; the loss is minus the ELBO, in nats an image
    gan   against a critic, non-saturating (2014); the loss is the Jensen-Shannon divergence as
          the critic finds it, log 2 less half of its own loss
    wgan  against a critic with gradient penalty (2017); the loss is the distance that it finds

Critics are trained alone for WARM epochs first, so that what they find at epoch 0 means something;
that of the GAN for one, as a generator learns nothing from a critic that is sure.
Needs torch, which is loaded when a generator is.  The images are (n, 64), their grey levels in
[0, 1]; what is sampled is rounded to the 17 levels of scikit-learn's digits, as stored images are.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from math import log
from typing import Any

LEVELS = 16
LATENT, WIDTH = 16, 256
BATCH, RATE = 64, 5e-4
WARM = {"gan": 1, "wgan": 10}  # epochs
CRITIC_STEPS, PENALTY = 3, 10
KINDS = ("vae", "gan", "wgan")


@dataclass(frozen=True)
class Trained:
    """Losses of the epochs, 0 (untrained) included, and the generator's state at some of them."""

    losses: list[float]
    states: dict[int, dict[str, Any]]


def train(kind: str, images: Any, epochs: Collection[int], seed: int) -> Trained:
    """Train one of KINDS on `images` (n, 64) up to the last of `epochs`, which are kept.

    On one thread, from one seed: the same machine finds the same states again.
    """
    import torch

    with repeatable(seed):
        data = torch.as_tensor(images, dtype=torch.float32)
        generator = network(LATENT, WIDTH, WIDTH, data.shape[1]).append(torch.nn.Sigmoid())
        start = start_vae if kind == "vae" else start_critic(kind)
        before, step = start(generator, data)
        losses, states = [before], {}
        for epoch in range(max(epochs) + 1):
            if epoch:
                losses.append(mean_over(batches(data), step))
            if epoch in epochs:
                states[epoch] = {k: v.clone() for k, v in generator.state_dict().items()}
        return Trained(losses, states)


@contextmanager
def repeatable(seed: int) -> Iterator[None]:
    """One thread, and random numbers from a seed; both are what they were afterwards."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            yield
    finally:
        torch.set_num_threads(threads)


def sample(state: Mapping[str, Any], number: int, seed: int) -> Any:
    """Images of a generator as it was kept: (number, 64) float64, levels 0, 1/16, …, 1."""
    import torch

    widths = [len(bias) for name, bias in state.items() if name.endswith("bias")]
    generator = network(LATENT, *widths).append(torch.nn.Sigmoid())
    generator.load_state_dict(state)
    with repeatable(seed), torch.no_grad():
        return (LEVELS * generator(torch.randn(number, LATENT))).round().double().numpy() / LEVELS


def network(*widths: int) -> Any:
    """Linear layers of these widths, a leaky ReLU between each two."""
    from torch import nn

    layers: list[Any] = []
    for width, following in pairwise(widths):
        layers += [nn.Linear(width, following), nn.LeakyReLU(0.2)]
    return nn.Sequential(*layers[:-1])


def batches(data: Any) -> Any:
    """Return the rows in a random order, BATCH at a time."""
    import torch

    return (data[rows] for rows in torch.randperm(len(data)).split(BATCH))


def mean_over(parts: Any, step: Callable[[Any], float]) -> float:
    """Return the mean over rows of what `step` finds of each batch."""
    results = [(step(part), len(part)) for part in parts]
    return sum(value * rows for value, rows in results) / sum(rows for _, rows in results)


def descend(optimizer: Any, loss: Any) -> None:
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


# ---- kinds: (generator, images) -> the loss at epoch 0, and a step that returns the loss -------


def start_vae(generator: Any, data: Any) -> tuple[float, Callable[[Any], float]]:
    import torch
    from torch.nn import functional

    encoder = network(data.shape[1], WIDTH, 2 * LATENT)
    adam = torch.optim.Adam([*encoder.parameters(), *generator.parameters()], RATE)

    def loss_of(real: Any) -> Any:
        mean, log_variance = encoder(real).chunk(2, dim=1)
        latent = mean + torch.randn_like(mean) * (log_variance / 2).exp()
        missed = functional.binary_cross_entropy(generator(latent), real, reduction="sum")
        # KL(N(m, v) || N(0, 1)) = (m² + v − 1 − log v) / 2
        apart = (mean**2 + log_variance.exp() - 1 - log_variance).sum() / 2
        return (missed + apart) / len(real)

    def step(real: Any) -> float:
        loss = loss_of(real)
        descend(adam, loss)
        return float(loss.detach())

    with torch.no_grad():
        return float(loss_of(data)), step


def start_critic(kind: str) -> Callable[[Any, Any], tuple[float, Callable[[Any], float]]]:
    wasserstein = kind == "wgan"

    def start(generator: Any, data: Any) -> tuple[float, Callable[[Any], float]]:
        import torch
        from torch.nn.functional import softplus

        critic = network(data.shape[1], WIDTH, WIDTH, 1)
        critic_optimizer = torch.optim.Adam(critic.parameters(), RATE, (0.5, 0.9))
        generator_optimizer = torch.optim.Adam(generator.parameters(), RATE, (0.5, 0.9))
        steps = 0

        def teach(real: Any) -> float:
            """A step of the critic; what it finds between real and generated images."""
            with torch.no_grad():
                fake = generator(torch.randn(len(real), LATENT))
            if wasserstein:
                distance = critic(real).mean() - critic(fake).mean()
                loss = PENALTY * steepness(critic, real, fake) - distance
            else:
                loss = softplus(-critic(real)).mean() + softplus(critic(fake)).mean()
                distance = log(2) - loss / 2
            descend(critic_optimizer, loss)
            return float(distance.detach())

        def step(real: Any) -> float:
            nonlocal steps
            distance, steps = teach(real), steps + 1
            if not wasserstein or steps % CRITIC_STEPS == 0:
                score = critic(generator(torch.randn(BATCH, LATENT)))
                descend(generator_optimizer, (-score if wasserstein else softplus(-score)).mean())
            return distance

        return [mean_over(batches(data), teach) for _ in range(WARM[kind])][-1], step

    return start


def steepness(critic: Any, real: Any, fake: Any) -> Any:
    """Mean of (|∇critic| − 1)² at random points between real and generated images."""
    import torch

    share = torch.rand(len(real), 1)
    between = (share * real + (1 - share) * fake).requires_grad_()
    (slope,) = torch.autograd.grad(critic(between).sum(), between, create_graph=True)
    return ((slope.norm(dim=1) - 1) ** 2).mean()
