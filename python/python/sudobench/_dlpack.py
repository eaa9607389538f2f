"""Reads tensors of other packages through DLPack (https://dmlc.github.io/dlpack/latest). These packages are not
imported.

NumPy reads DLPack too, but NumPy has no type bfloat16. So this module itself reads the structure that describes a tensor."""

from __future__ import annotations

import ctypes
import math
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

ON_CPU = (1, 3)
"""DLPack's numbers of the devices whose memory the CPU can read: 1 is the CPU, 3 is memory of the CPU that is pinned for CUDA."""

KINDS = {0: "i", 1: "u", 2: "f", 6: "b"}
"""NumPy's letters for DLPack's kinds of numbers."""

BFLOAT = 4


class _Device(ctypes.Structure):
    kind: int
    number: int
    _fields_: ClassVar[Any] = (("kind", ctypes.c_int32), ("number", ctypes.c_int32))


class _Type(ctypes.Structure):
    kind: int
    bits: int
    lanes: int
    _fields_: ClassVar[Any] = (("kind", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))


class _Tensor(ctypes.Structure):
    """The structure `DLTensor` of DLPack. It is the first field of `DLManagedTensor`."""

    data: int
    device: _Device
    dimensions: int
    type: _Type
    shape: Any
    strides: Any
    offset: int
    _fields_: ClassVar[Any] = (
        ("data", ctypes.c_void_p),
        ("device", _Device),
        ("dimensions", ctypes.c_int32),
        ("type", _Type),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("offset", ctypes.c_uint64),
    )


class _Memory:
    """The memory of a tensor, in a form that NumPy reads. The memory belongs to the capsule, which stays alive as long
    as an array uses this object."""

    def __init__(self, capsule: Any, interface: dict[str, Any]) -> None:
        self.capsule = capsule
        self.__array_interface__ = interface


def array_of(tensor: Any) -> npt.NDArray[Any]:
    """Returns a tensor in the memory of the CPU as an array, if possible without a copy. Numbers of type bfloat16 are converted to float32.

    Raises `TypeError` for types of numbers that NumPy does not have, and for most tensors on another device. Exceptions of the tensor's
    package are passed on."""
    import numpy as np

    is_bfloat16 = "bfloat16" in str(getattr(tensor, "dtype", ""))
    if isinstance(tensor, np.ndarray):
        # The type bfloat16 comes from the package ml_dtypes, which can convert it to float32.
        return tensor.astype(np.float32) if is_bfloat16 else tensor
    if hasattr(tensor, "__array__") and not is_bfloat16:
        return np.asarray(tensor)
    if tensor.__dlpack_device__()[0] not in ON_CPU:
        raise TypeError("the tensor is in the memory of a device other than the CPU")
    return _read(tensor.__dlpack__())


def _read(capsule: Any) -> npt.NDArray[Any]:
    """Returns the tensor of a capsule as an array. The capsule keeps the name `dltensor` of unused capsules, so its
    destructor frees the tensor."""
    import numpy as np

    pointer_of = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))
    try:
        address = pointer_of(capsule, b"dltensor")
    except ValueError as error:
        raise TypeError(
            "the package of the tensor returned something that is not a DLPack capsule, or a capsule that was already used"
        ) from error
    tensor = ctypes.cast(address, ctypes.POINTER(_Tensor)).contents
    kind, bits, lanes = tensor.type.kind, tensor.type.bits, tensor.type.lanes
    is_bfloat16 = (kind, bits) == (BFLOAT, 16)
    letter = "u" if is_bfloat16 else KINDS.get(kind)
    try:
        if letter is None or lanes != 1 or bits % 8 != 0:
            raise TypeError
        dtype = np.dtype(f"{letter}{bits // 8}")
    except TypeError:
        raise TypeError(f"NumPy has no type for DLPack's kind {kind} with {bits} bits and {lanes} lanes") from None
    shape = tuple(tensor.shape[: tensor.dimensions])
    if math.prod(shape) == 0:
        array: npt.NDArray[Any] = np.empty(shape, dtype)
    else:
        strides = tuple(dtype.itemsize * step for step in tensor.strides[: tensor.dimensions]) if tensor.strides else None
        place = {"data": (tensor.data + tensor.offset, True), "shape": shape, "strides": strides, "typestr": dtype.str, "version": 3}
        array = np.asarray(_Memory(capsule, place))
    return _widened(array) if is_bfloat16 else array


def _widened(bits: npt.NDArray[np.uint16]) -> npt.NDArray[np.float32]:
    """Converts numbers of the type bfloat16, given as their bits, to float32. The bits are the upper half of the float32."""
    import numpy as np

    return (bits.astype(np.uint32) << 16).view(np.float32)
