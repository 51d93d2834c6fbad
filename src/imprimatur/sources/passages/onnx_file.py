"""The few parts of the ONNX file format that a model is written with: nodes, tensors and a graph, as protocol buffers.

Invariant: the same graph gives the same bytes, on any machine and with any version of any library, so that a file can
be pinned by its hash. (Field numbers are those of ``onnx.proto3``, format version 8.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy

__all__ = ["GraphFile"]

_FORMAT, _OPSET = 8, 17
_ELEMENTS = {"float32": 1, "uint8": 2, "int8": 3, "int64": 7, "int32": 6}
_CONTRIBUTED = "com.microsoft"


def _varint(number: int) -> bytes:
    made = bytearray()
    number &= (1 << 64) - 1
    while number > 0x7F:
        made.append(number & 0x7F | 0x80)
        number >>= 7
    made.append(number)
    return bytes(made)


def _number(key: int, value: int) -> bytes:
    return _varint(key << 3) + _varint(value)


def _bytes(key: int, value: bytes) -> bytes:
    return _varint(key << 3 | 2) + _varint(len(value)) + value


def _text(key: int, value: str) -> bytes:
    return _bytes(key, value.encode())


def _attribute(name: str, value: Any) -> bytes:
    import struct

    if isinstance(value, float):
        return _text(1, name) + _varint(2 << 3 | 5) + struct.pack("<f", value) + _number(20, 1)
    if isinstance(value, int):
        return _text(1, name) + _number(3, value) + _number(20, 2)
    return _text(1, name) + b"".join(_number(8, each) for each in value) + _number(20, 7)


def _value(name: str, element: str, shape: Sequence[str | int]) -> bytes:
    dims = b"".join(_bytes(1, _text(2, each) if isinstance(each, str) else _number(1, each)) for each in shape)
    return _text(1, name) + _bytes(2, _bytes(1, _number(1, _ELEMENTS[element]) + _bytes(2, dims)))


@dataclass(slots=True)
class GraphFile:
    """A graph that grows by nodes; every node has one name for each of its outputs."""

    name: str
    nodes: list[bytes] = field(default_factory=list)
    tensors: list[bytes] = field(default_factory=list)
    inputs: list[bytes] = field(default_factory=list)
    outputs: list[bytes] = field(default_factory=list)

    def tensor(self, name: str, values: numpy.ndarray[Any, Any]) -> str:
        """Adds constant values, and gives their name."""
        little = values.astype(values.dtype.newbyteorder("<"), copy=False)
        dims = b"".join(_number(1, size) for size in values.shape)
        head = dims + _number(2, _ELEMENTS[values.dtype.name])
        self.tensors.append(head + _text(8, name) + _bytes(9, little.tobytes()))
        return name

    def node(self, kind: str, inputs: Sequence[str], outputs: str | Sequence[str], **attributes: Any) -> str:
        """Adds a node, and gives the name of its first output. ``contributed=True``: one of ONNX Runtime's own."""
        names = [outputs] if isinstance(outputs, str) else list(outputs)
        contributed = attributes.pop("contributed", False)
        made = b"".join(_text(1, each) for each in inputs) + b"".join(_text(2, each) for each in names)
        made += _text(3, names[0]) + _text(4, kind)
        made += b"".join(_bytes(5, _attribute(each, attributes[each])) for each in sorted(attributes))
        self.nodes.append(made + (_text(7, _CONTRIBUTED) if contributed else b""))
        return names[0]

    def input(self, name: str, element: str, shape: Sequence[str | int]) -> str:
        """Declares an input; a text in its shape is a size that varies."""
        self.inputs.append(_value(name, element, shape))
        return name

    def output(self, name: str, element: str, shape: Sequence[str | int]) -> None:
        """Declares an output."""
        self.outputs.append(_value(name, element, shape))

    def to_bytes(self, notes: Mapping[str, str]) -> bytes:
        """The whole file; ``notes`` are kept in it as properties."""
        graph = b"".join(_bytes(1, each) for each in self.nodes) + _text(2, self.name)
        for key, parts in ((5, self.tensors), (11, self.inputs), (12, self.outputs)):
            graph += b"".join(_bytes(key, each) for each in parts)
        opsets = _bytes(8, _number(2, _OPSET)) + _bytes(8, _text(1, _CONTRIBUTED) + _number(2, 1))
        kept = b"".join(_bytes(14, _text(1, name) + _text(2, text)) for name, text in sorted(notes.items()))
        return _number(1, _FORMAT) + _text(2, "imprimatur") + _bytes(7, graph) + opsets + kept
