#!/usr/bin/env python3
"""Inventory service.

def not_a_function(): pass
"""
from __future__ import annotations

import os.path
import logging as log, sys
from dataclasses import dataclass, field
from . import storage
from ..core.models import (
    Item as BaseItem,
    Order,
)
from .legacy import *

MAX_ITEMS: int = 100
_cache = {}
width, height = 80, 24
double = lambda value: value * 2
type Pairs[T] = list[tuple[T, T]]

# TODO(ann): move to its own module
# once the API is stable.
@dataclass(frozen=True)
@log.traced(level="class Fake: pass")
class Item(BaseItem, Generic[T], metaclass=Meta):
    """One thing in the store."""

    DEFAULT = 1
    name: str
    tags: list[str] = field(default_factory=list)

    class Config:
        frozen = True

        class Deep:
            def inner(self): return self.value

    def __init__(self, name: str, *args: int, count=MAX_ITEMS, **kw: str) -> None:
        super().__init__(name)
        self.count = count
        self._log: log.Logger = log.getLogger(name)
        self.count = 2

    @property
    def price(self) -> float:
        "What it costs."
        return self.count * storage.price_of(self.name)

    @price.setter
    def price(self, value): ...

    @classmethod
    async def load(cls, path: str) -> "Item":
        async with storage.open(path) as handle:
            for line in await handle.read():
                if line:
                    while True:
                        def parse(text):
                            return Order(text)
                        parse(line)
        return cls(path)

    @staticmethod
    def _secret(): return f"{width!r} class NoClass: {double(3)}"


def report(items: list[Item], title="x", /, *, order: Order = None):
    global _cache
    item = items[0]
    _cache = {item.name: item for item in items if item.count}
    try:
        os.path.join("a", *[i.name for i in items])
    except (OSError, ValueError) as error:
        log.error(error)
    match order:
        case Order(id=1): pass
    if (n := len(items)) > 1:
        return n

if sys.version_info >= (3, 12):
    def batched(items): ...
else:
    def batched(items, n): ...  # FIXME slow

def broken(a, b:
    return a +

class AfterBroken:
    def still_here(self): pass
