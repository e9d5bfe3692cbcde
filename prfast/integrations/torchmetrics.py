"""Curves and metrics as a metric of torchmetrics, whose samples are gathered over ranks.

    update(features, real)   ─► copies in main memory, a list of batches of each set
    compute()                ─► rank 0's samples, then rank 1's, … ─► Evaluator ─► {name: number}

Every rank computes the results of `prfast.Evaluator` for the samples in that order, bit for bit.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import numpy as np

from prfast.comparison.evaluator import Evaluator
from prfast.comparison.reference import Batches
from prfast.comparison.results import Evaluation
from prfast.inputs.arrays import Floats
from prfast.inputs.errors import WrongType, WrongValue, import_optional
from prfast.inputs.options import read_flag
from prfast.results.values import flat
from prfast.samples.samples import check_shape, checksum_of

_torchmetrics = import_optional("torchmetrics", "prfast.integrations.torchmetrics")
_distributed = import_optional("torchmetrics.utilities.distributed", "gathering")
_torch = import_optional("torch", "prfast.integrations.torchmetrics")
_Metric: Any = _torchmetrics.Metric

_KEEPS = "keeps_real_features"
_OF_EVALUATOR = inspect.signature(Evaluator).parameters.keys() - {"real"}


class GenerativePrecisionRecall(_Metric):  # type: ignore[misc]
    """Precision-recall curves and metrics of generated against real samples, in torchmetrics.

    `update` copies features from any device to main memory, without their gradients.  `compute`
    gathers them over the ranks of a process group, rank by rank and batch by batch.  It returns the
    numbers of `prfast.Evaluator` for the samples in this order; the folds of "auto" and splits
    depend on it.

    Parameters
    ----------
    methods, k
        See `prfast.Evaluator`: "auto" by default.
    prefix : str
        Precedes the names of all numbers; empty by default.
    reset_real_features : bool
        Whether `reset` discards the real samples as well; True by default.  If not, they are
        prepared once, as the reference of an evaluator.
    **options
        Options of `prfast.Evaluator` (`split`, `which`, `metrics_k`, `random_state`, …), and of a
        metric of torchmetrics (`process_group`, `sync_on_compute`, …).

    Attributes
    ----------
    evaluation : Evaluation or None
        Result of the last `compute`, with its curves; None before it and after `reset`.

    Notes
    -----
    Errors are those of `prfast.Evaluator` and torchmetrics.  ``forward`` is refused: one batch has
    no curve.  A `MetricCollection` shares the samples of metrics with the same
    `reset_real_features`.  Incoming samples of ``merge_state`` come first, as in torchmetrics:
    the order after ``b.merge_state(a)`` is a, then b.
    """

    is_differentiable = False
    higher_is_better = None
    full_state_update = False

    def __init__(
        self,
        methods: Any = ("auto",),
        k: Sequence[int | str] | int | str = "sqrt",
        *,
        prefix: str = "",
        reset_real_features: bool = True,
        **options: Any,
    ) -> None:
        chosen = {name: options.pop(name) for name in list(options) if name in _OF_EVALUATOR}
        super().__init__(**{"compute_on_cpu": True, "dist_sync_fn": gather_samples} | options)
        self._options = {"methods": methods, "k": k, **chosen}
        self._prefix = prefix
        flat({}.items(), prefix)
        Evaluator(**self._options)  # checks the options
        self.reset_real_features = read_flag("reset_real_features", reset_real_features)
        self.evaluation: Evaluation | None = None
        self._evaluator: Any = None
        self._of: Any = None
        self.real_features: Any
        self.fake_features: Any
        for name in ("real_features", "fake_features"):
            self.add_state(name, [], dist_reduce_fx="cat")
        if not self.reset_real_features:
            # Always empty: a collection shares states of the same names, and resets those of one.
            self.add_state(_KEEPS, [], dist_reduce_fx="cat")

    def update(self, features: Any, real: bool) -> None:
        """Add the features of a batch of real or generated samples.

        features: a tensor or array of any device, shape (b, d), b may be 0.  Numbers are finite;
        width and dtype are those of the first call.  Others raise TypeError or ValueError.
        """
        names = ("real_features", "fake_features")
        names = names if read_flag("real", real) else names[::-1]
        batches, second = (getattr(self, name) for name in names)
        if isinstance(features, _torch.Tensor):
            features = features.detach().cpu()
        read = Batches("features", [*map(_array, batches[:1])]).read(features)
        if second:
            shapes = (read.shape, second[0].shape) if real else (second[0].shape, read.shape)
            check_shape("fake", (1, shapes[1][1]), width=shapes[0][1])
        if len(read):
            batches.append(_torch.from_numpy(np.array(read)))

    def compute(self) -> dict[str, Any]:
        """Return the numbers of curves and metrics, as ``Evaluation.scalars`` names them.

        They are tensors of one float64 in main memory; those that are not finite are left out.
        Too few samples of either set raise ValueError.
        """
        real, fake = (self._samples(name) for name in ("real", "fake"))
        evaluator, of = self._evaluator, None
        if not self.reset_real_features:
            of = real.shape, str(real.dtype), checksum_of(real)
        if of is None or self._of != of:
            evaluator = Evaluator(real, **self._options)
        if of is not None:
            self._evaluator, self._of = evaluator, of
        self.evaluation = evaluator.evaluate(fake)
        numbers = self.evaluation.scalars(self._prefix)
        return {name: _torch.tensor(value, dtype=_torch.float64) for name, value in numbers.items()}

    def reset(self) -> None:
        """Discard the samples; the real ones only if `reset_real_features`."""
        real_features = [] if self.reset_real_features else list(self.real_features)
        super().reset()
        self.real_features = real_features
        self.evaluation = None

    def merge_state(self, incoming_state: Any) -> None:
        """Put the samples of a metric, or of its states, before these."""
        if isinstance(incoming_state, GenerativePrecisionRecall):
            incoming_state = incoming_state.metric_state
        if isinstance(incoming_state, dict):
            incoming_state = {_KEEPS: [], **incoming_state}
        super().merge_state(incoming_state)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        raise WrongType("forward", "update(features, real) expected; one batch has no curve")

    def _samples(self, name: str) -> Floats:
        """Return all samples of one set; after gathering they are one tensor."""
        state = getattr(self, f"{name}_features")
        batches = [*map(_array, state if isinstance(state, list) else [state])]
        size = sum(map(len, batches))
        if size < 2:
            hint = f"update(features, real={name == 'real'}) adds them"
            raise WrongValue(name, f"at least 2 samples expected, got {size}; {hint}")
        return batches[0] if len(batches) == 1 else np.concatenate(batches)


def gather_samples(samples: Any, group: Any = None) -> list[Any]:
    """Return the samples of all ranks of a group, in the order of ranks, in main memory.

    samples: shape (n, d), n may differ from rank to rank, or without elements.  Samples of two
    widths or dtypes are refused, on every rank.
    """
    dist = _torch.distributed
    kinds_of_ranks: list[Any] = [None] * dist.get_world_size(group)
    kind = (samples.shape[1], str(samples.dtype)) if samples.numel() else None
    dist.all_gather_object(kinds_of_ranks, kind, group=group)
    kinds = sorted({x for x in kinds_of_ranks if x is not None})
    if len(kinds) > 1:
        described = " and ".join(f"{width} features of {dtype}" for width, dtype in kinds)
        raise WrongValue("features", f"those of all ranks of one kind expected, got {described}")
    if not kinds:
        return [samples]
    width, dtype = kinds[0]
    if kind is None:
        samples = samples.new_empty((0, width), dtype=getattr(_torch, dtype.removeprefix("torch.")))
    # A group with only a device backend, such as NCCL, cannot send what lies in main memory.
    devices = [x.partition(":")[0] for x in str(dist.get_backend_config(group)).split(",")]
    place = "cpu" if "cpu" in devices else devices[0]
    gathered = _distributed.gather_all_tensors(samples.to(place), group)
    return [tensor.cpu() for tensor in gathered]


def _array(tensor: Any) -> Floats:
    return tensor.detach().cpu().numpy()
