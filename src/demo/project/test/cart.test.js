import assert from 'node:assert/strict'
import { test } from 'node:test'
import { count, total } from '../src/cart.js'

const items = [
  { name: 'tea', price: 450, quantity: 2 },
  { name: 'cup', price: 1200, quantity: 1 },
]

test('a cart without discount is the sum of its items', () => assert.equal(total(items), 2100))
test('ten percent off takes a tenth away', () => assert.equal(total(items, 10), 1890))
test('count adds up the pieces', () => assert.equal(count(items), 3))
