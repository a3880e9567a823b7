// Package cache keeps things.
package cache

import (
	"context"
	"fmt"
	str "strings"
	. "example.com/app/internal/util"
	_ "embed"

	"example.com/app/pkg/clock"
)

import "sync"

// MaxSize is the largest size.
const MaxSize = 1 << 20

const (
	stateOpen = iota // TODO: rename
	stateClosed
	A, B = 1, "func fake() {}"
)

var (
	ErrFull  = fmt.Errorf("full")
	defaults = map[string]int{"a": 1}
)

type (
	// Key is comparable.
	Key interface {
		~int | ~string
		fmt.Stringer
		Compare(other Key) (int, error)
	}
	Handler func(ctx context.Context, key string) error
	Alias   = Cache[string, int]
)

// Cache is a
// generic cache.
type Cache[K comparable, V any] struct {
	sync.Mutex
	*Base
	items, old map[K]V
	Clock      clock.Clock `json:"func tag() {}"`
	opts       struct{ size int }
}

// New makes one.
func New[K comparable, V any](size int, opts ...Option) *Cache[K, V] {
	c := &Cache[K, V]{items: make(map[K]V)}
	for _, opt := range opts {
		opt(c)
	}
	return c
}

func (c *Cache[K, V]) Get(key K) (value V, err error) {
	c.Lock()
	defer c.Unlock()
	if v, ok := c.items[key]; ok {
		return v, nil
	} else if c.Clock != nil {
		switch err := c.load(key); {
		case err != nil:
			for {
				select {
				case <-c.done:
					return value, ErrFull
				}
			}
		}
	}
	go func() { fmt.Println(str.ToUpper(`raw
func notHere() {}`)) }()
	return
}

func (b *Base) touch() { b.count++; defaults["x"] = MaxSize }

func (Cache[K, V]) load(key K) error { return nil }

func broken( {
	x :=
}

func After() { New[string, int](1) }
