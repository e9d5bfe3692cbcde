"""A small classifier of digits: its penultimate layer as features, its probabilities; needs torch.

As the 2018 paper embeds images by a network that was trained to tell classes, and counts the
classes of what a generator makes by one (Fig. 6, 10).
"""

from dataclasses import dataclass
from typing import Any

from bench.papers.generators import batches, descend, mean_over, network, repeatable

FEATURES, HIDDEN, EPOCHS, RATE = 32, 128, 60, 1e-3


@dataclass(frozen=True)
class DigitClassifier:
    """Layers up to the features, and the head from there to a logit a digit."""

    body: Any
    head: Any

    def features(self, images: Any) -> Any:
        """(n, 64) images -> (n, FEATURES) float64, not negative."""
        import torch

        with torch.no_grad():
            return self.body(torch.as_tensor(images, dtype=torch.float32)).double().numpy()

    def probabilities(self, images: Any) -> Any:
        """(n, 64) images -> (n, 10) float64, p(digit | image)."""
        import torch

        with torch.no_grad():
            logits = self.head(self.body(torch.as_tensor(images, dtype=torch.float32)))
            return logits.double().softmax(dim=1).numpy()


def train_classifier(images: Any, digits: Any, seed: int, epochs: int = EPOCHS) -> DigitClassifier:
    """Trained by cross-entropy on `images` (n, 64) with their `digits` (n,), on one thread."""
    import torch
    from torch import nn

    with repeatable(seed):
        data = torch.as_tensor(images, dtype=torch.float32)
        labels = torch.as_tensor(digits, dtype=torch.int64)
        body = network(data.shape[1], HIDDEN, FEATURES).append(nn.ReLU())
        head = nn.Linear(FEATURES, 10)
        adam = torch.optim.Adam([*body.parameters(), *head.parameters()], RATE)

        def step(rows: Any) -> float:
            loss = nn.functional.cross_entropy(head(body(data[rows])), labels[rows])
            descend(adam, loss)
            return float(loss.detach())

        for _ in range(epochs):
            mean_over(batches(torch.arange(len(data))), step)
        return DigitClassifier(body, head)
