import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openIndex, type CodeIndex } from '../../code-index.ts'

let open: CodeIndex | undefined
let root: string | undefined
afterEach(async () => {
  await open?.close()
  if (root) rmSync(root, { recursive: true, force: true })
})

async function indexOf(files: Record<string, string>): Promise<CodeIndex> {
  root = mkdtempSync(join(tmpdir(), 'codehound-languages-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  open = await openIndex({ root, watch: false, workers: 1 })
  await open.ready()
  return open
}

/** Uses of a name as `path:line kind`, the surer ones only. */
async function exactUses(index: CodeIndex, name: string): Promise<string[]> {
  const { references } = await index.references({ name })
  return references
    .filter(({ confidence }) => confidence === 'exact')
    .map(({ path, line, kind }) => `${path}:${line} ${kind}`)
}

async function internal(index: CodeIndex, path: string): Promise<string[]> {
  const dependencies = (await index.dependencies(path)) ?? []
  return dependencies.filter(({ kind }) => kind === 'internal').map(({ target, line }) => `${line} ${target}`)
}

test('Python: names through from-imports, re-exports of a package, modules and receivers', async () => {
  const index = await indexOf({
    'app/__init__.py': 'from .models import Item\n',
    'app/models.py':
      'class Item:\n    def cost(self):\n        return self.base() + 1\n    def base(self):\n        return 0\n',
    'app/other.py': 'class Item: pass\nItem()\n',
    'main.py':
      'import app.models\nfrom app import Item as Thing\nthing = Thing()\ndef run(item: Thing):\n    return item.cost()\n',
  })
  expect(await exactUses(index, 'Item')).toContain('main.py:2 import')
  expect(await exactUses(index, 'Item.base')).toEqual(['app/models.py:3 call', 'app/models.py:4 declaration'])
  expect(await exactUses(index, 'Item.cost')).toEqual(['app/models.py:2 declaration', 'main.py:5 call'])
  expect(await internal(index, 'main.py')).toEqual(['1 app/models.py', '2 app/__init__.py'])
})

test('Go: names of the same package need no import, others come through the module path', async () => {
  const index = await indexOf({
    'go.mod': 'module example.com/app\n',
    'main.go':
      'package main\n\nimport "example.com/app/store"\n\nfunc main() {\n\ts := &store.Shop{}\n\ts.Open()\n\thelper()\n}\n',
    'helper.go': 'package main\n\nfunc helper() {}\n',
    'store/shop.go': 'package store\n\ntype Shop struct{}\n\nfunc (s *Shop) Open() { helper() }\n',
    'store/helper.go': 'package store\n\nfunc helper() {}\n\nvar one = Shop{}\n',
  })
  expect(await internal(index, 'main.go')).toEqual(['3 store/helper.go', '3 store/shop.go'])
  const { references } = await index.references({ name: 'helper', path: 'helper.go' })
  expect(references.map(({ path, line }) => `${path}:${line}`)).toEqual(['helper.go:3', 'main.go:8'])
  expect(await exactUses(index, 'Shop')).toEqual([
    'main.go:6 type',
    'store/helper.go:5 type',
    'store/shop.go:3 declaration',
    'store/shop.go:5 type',
  ])
})

test('C: a function declared in a header and defined elsewhere; a static one stays in its file', async () => {
  const index = await indexOf({
    'include/ring.h': '#define MAX 4\nint ring_len(void);\nenum mode { FAST, SLOW };\n',
    'src/ring.c':
      '#include "../include/ring.h"\nstatic int helper(void) { return MAX; }\nint ring_len(void) { return helper(); }\n',
    'src/main.c': '#include <ring.h>\nint helper2(void);\nint main(void) { return ring_len() + helper() + FAST; }\n',
  })
  expect(await exactUses(index, 'ring_len')).toEqual([
    'include/ring.h:2 declaration',
    'src/main.c:3 call',
    'src/ring.c:3 declaration',
  ])
  expect(await exactUses(index, 'helper')).toEqual(['src/ring.c:2 declaration', 'src/ring.c:3 call'])
  expect(await exactUses(index, 'FAST')).toEqual(['include/ring.h:3 declaration', 'src/main.c:3 read'])
  expect(await internal(index, 'src/main.c')).toEqual(['1 include/ring.h'])
})

test('Java and C#: classes through imports, the own package and namespaces; members by their receiver', async () => {
  const index = await indexOf({
    'src/com/acme/Shop.java':
      'package com.acme;\npublic class Shop { Item first; void open() { first.sell(); close(); } void close() {} }\n',
    'src/com/acme/Item.java': 'package com.acme;\npublic class Item { public void sell() {} }\n',
    'src/com/main/Main.java':
      'package com.main;\nimport com.acme.Shop;\nclass Main { void run(Shop shop) { shop.open(); } }\n',
    'App/Models/Order.cs': 'namespace App.Models;\npublic class Order { public int Total() => 1; }\n',
    'App/Program.cs': 'using App.Models;\nclass Program { void Run(Order order) { order.Total(); } }\n',
  })
  expect(await exactUses(index, 'Shop')).toEqual([
    'src/com/acme/Shop.java:2 declaration',
    'src/com/main/Main.java:2 import',
    'src/com/main/Main.java:3 type',
  ])
  expect(await exactUses(index, 'Item')).toEqual([
    'src/com/acme/Item.java:2 declaration',
    'src/com/acme/Shop.java:2 type',
  ])
  expect(await exactUses(index, 'Item.sell')).toEqual([
    'src/com/acme/Item.java:2 declaration',
    'src/com/acme/Shop.java:2 call',
  ])
  expect(await exactUses(index, 'Shop.close')).toEqual([
    'src/com/acme/Shop.java:2 call',
    'src/com/acme/Shop.java:2 declaration',
  ])
  expect(await exactUses(index, 'Order')).toEqual(['App/Models/Order.cs:2 declaration', 'App/Program.cs:2 type'])
  expect(await exactUses(index, 'Order.Total')).toEqual(['App/Models/Order.cs:2 declaration', 'App/Program.cs:2 call'])
})

test('Rust and PHP: use paths, methods of impl blocks, PSR-4 classes', async () => {
  const index = await indexOf({
    'Cargo.toml': '[package]\nname = "app"\n',
    'src/lib.rs': 'pub mod ast;\nuse crate::ast::Node;\npub fn walk(node: &Node) { node.visit(); Node::make(); }\n',
    'src/ast.rs':
      'pub struct Node;\nimpl Node {\n    pub fn visit(&self) { self.leaf() }\n    fn leaf(&self) {}\n    pub fn make() -> Node { Node }\n}\n',
    'composer.json': '{"autoload":{"psr-4":{"Acme\\\\":"php/"}}}',
    'php/Order.php':
      '<?php\nnamespace Acme;\nclass Order { public function total() { return $this->tax(); } private function tax() { return 1; } }\n',
    'php/run.php': '<?php\nuse Acme\\Order;\nfunction run(Order $order) { return $order->total(); }\n',
  })
  expect(await exactUses(index, 'Node')).toEqual([
    'src/ast.rs:1 declaration',
    'src/ast.rs:2 type',
    'src/ast.rs:5 type',
    'src/ast.rs:5 read',
    'src/lib.rs:2 import',
    'src/lib.rs:3 type',
    'src/lib.rs:3 read',
  ])
  expect(await exactUses(index, 'Node.visit')).toEqual(['src/ast.rs:3 declaration', 'src/lib.rs:3 call'])
  expect(await exactUses(index, 'Node.make')).toEqual(['src/ast.rs:5 declaration', 'src/lib.rs:3 call'])
  expect(await exactUses(index, 'Order')).toEqual([
    'php/Order.php:3 declaration',
    'php/run.php:2 import',
    'php/run.php:3 type',
  ])
  expect(await exactUses(index, 'Order.tax')).toEqual(['php/Order.php:3 call', 'php/Order.php:3 declaration'])
  expect(await exactUses(index, 'Order.total')).toEqual(['php/Order.php:3 declaration', 'php/run.php:3 call'])
})

test('A header with C++ in it is read as C++, one without as C', async () => {
  const index = await indexOf({
    'shape.h': '#pragma once\nnamespace geo {\ntemplate <typename T> class Shape { public: T area() const; };\n}\n',
    'plain.h': 'struct shape { int class; };\nint area(struct shape *new);\n',
  })
  const names = async (path: string): Promise<string[]> =>
    (await index.outline(path))!.symbols.flatMap(({ symbol, children }) =>
      [symbol, ...children.map((child) => child.symbol)].map(({ kind, qualifiedName }) => `${kind} ${qualifiedName}`),
    )
  expect(await names('shape.h')).toEqual(['namespace geo', 'class geo.Shape'])
  expect(await names('plain.h')).toEqual(['struct shape', 'property shape.class', 'function area'])
})

test('Members are found by what a call gives back, and by a type named through a module', async () => {
  const index = await indexOf({
    'go.mod': 'module example.com/app\n',
    'store/shop.go':
      'package store\n\ntype Shop struct{}\n\nfunc New() *Shop { return &Shop{} }\n\nfunc (s *Shop) Open() {}\n',
    'main.go':
      'package main\n\nimport "example.com/app/store"\n\nfunc run(s *store.Shop) { s.Open() }\n\nfunc main() {\n\tshop := store.New()\n\tshop.Open()\n}\n',
    'shop.py': 'class Shop:\n    def open_it(self): pass\n\ndef make() -> Shop:\n    return Shop()\n',
    'use.py':
      'import shop\nfrom shop import Shop, make\n\nclass Owner:\n    def __init__(self):\n        self.shop = Shop()\n    def go(self):\n        self.shop.open_it()\n\ndef run(one: shop.Shop):\n    one.open_it()\n    two = make()\n    two.open_it()\n    three = shop.Shop()\n    three.open_it()\n',
    'Cargo.toml': '[package]\nname = "app"\n',
    'src/lib.rs': 'mod ast;\nuse crate::ast::Node;\nfn run() { let node = Node::make(); node.visit(); }\n',
    'src/ast.rs': 'pub struct Node;\nimpl Node {\n    pub fn visit(&self) {}\n    pub fn make() -> Self { Node }\n}\n',
  })
  expect(await exactUses(index, 'Shop.Open')).toEqual([
    'main.go:5 call',
    'main.go:9 call',
    'store/shop.go:7 declaration',
  ])
  expect(await exactUses(index, 'Shop.open_it')).toEqual([
    'shop.py:2 declaration',
    'use.py:8 call',
    'use.py:11 call',
    'use.py:13 call',
    'use.py:15 call',
  ])
  expect(await exactUses(index, 'Node.visit')).toEqual(['src/ast.rs:3 declaration', 'src/lib.rs:3 call'])
})
