// The part of the standard library that members are looked for through: what hands a type on from its argument.
// Names as in the ECMAScript standard; what gives only text and numbers is left out.
export const LIBRARY = `
interface Function { call: unknown; apply: unknown; bind: unknown }
interface CallableFunction extends Function {}
interface Object {}
interface Window {}
declare const window: Window
declare const globalThis: Window
declare const self: Window
interface String { split(by: any): string[]; match(by: any): RegExpMatchArray | null; matchAll(by: any): IterableIterator<RegExpMatchArray>; length: number; [index: number]: string; trim(): string; slice(): string; toString(): string; toLowerCase(): string; toUpperCase(): string; replace(a: any, b: any): string; replaceAll(a: any, b: any): string; substring(): string; padStart(): string; padEnd(): string; repeat(n: number): string; charAt(n: number): string; indexOf(): number; startsWith(): boolean; endsWith(): boolean; includes(): boolean; concat(): string; at(n: number): string; trimStart(): string; trimEnd(): string; normalize(): string }
interface Number { toFixed(): string; toString(): string }
interface Boolean {}
interface Symbol {}
interface BigInt {}
interface RegExp { exec(text: string): RegExpExecArray | null; test(text: string): boolean }
interface RegExpMatchArray extends Array<string> { index: number; groups: { [key: string]: string } }
interface RegExpExecArray extends Array<string> { index: number; groups: { [key: string]: string } }
interface ReadonlyArray<T> extends Array<T> {}
interface ConcatArray<T> extends Array<T> {}
interface ArrayLike<T> { [index: number]: T; length: number }
interface Iterable<T> {}
interface AsyncIterable<T> {}
interface IteratorResult<T> { value: T; done: boolean }
interface Iterator<T> extends Iterable<T> { next(): IteratorResult<T>; map<U>(f: (value: T, index: number) => U): Iterator<U>; filter(f: (value: T, index: number) => unknown): Iterator<T>; toArray(): T[]; forEach(f: (value: T) => void): void; find(f: (value: T) => unknown): T | undefined }
interface IterableIterator<T> extends Iterator<T> {}
interface ArrayIterator<T> extends Iterator<T> {}
interface MapIterator<T> extends Iterator<T> {}
interface SetIterator<T> extends Iterator<T> {}
interface AsyncIterator<T> extends AsyncIterable<T> { next(): Promise<IteratorResult<T>> }
interface AsyncIterableIterator<T> extends AsyncIterator<T> {}
interface Generator<T, R = any, N = any> extends Iterator<T> { return(value: R): IteratorResult<T> }
interface AsyncGenerator<T, R = any, N = any> extends AsyncIterator<T> {}
interface Array<T> extends Iterable<T> {
  [index: number]: T
  length: number
  at(index: number): T | undefined
  pop(): T | undefined
  shift(): T | undefined
  push(...items: T[]): number
  unshift(...items: T[]): number
  concat(...items: (T | ConcatArray<T>)[]): T[]
  slice(start?: number, end?: number): T[]
  splice(start: number, count?: number, ...items: T[]): T[]
  toSpliced(start: number, count?: number, ...items: T[]): T[]
  reverse(): T[]
  toReversed(): T[]
  sort(compare?: (a: T, b: T) => number): this
  toSorted(compare?: (a: T, b: T) => number): T[]
  with(index: number, value: T): T[]
  fill(value: T, start?: number, end?: number): this
  copyWithin(target: number, start: number): this
  map<U>(f: (value: T, index: number, array: T[]) => U): U[]
  flatMap<U>(f: (value: T, index: number, array: T[]) => U | U[]): U[]
  flat(depth?: number): Flat<T>[]
  filter<S extends T>(f: (value: T, index: number, array: T[]) => value is S): S[]
  filter(f: (value: T, index: number, array: T[]) => unknown): T[]
  find<S extends T>(f: (value: T, index: number, array: T[]) => value is S): S | undefined
  find(f: (value: T, index: number, array: T[]) => unknown): T | undefined
  findLast(f: (value: T, index: number, array: T[]) => unknown): T | undefined
  findIndex(f: (value: T, index: number, array: T[]) => unknown): number
  findLastIndex(f: (value: T, index: number, array: T[]) => unknown): number
  forEach(f: (value: T, index: number, array: T[]) => void): void
  some(f: (value: T, index: number, array: T[]) => unknown): boolean
  every(f: (value: T, index: number, array: T[]) => unknown): boolean
  reduce(f: (before: T, value: T, index: number, array: T[]) => T): T
  reduce<U>(f: (before: U, value: T, index: number, array: T[]) => U, first: U): U
  reduceRight<U>(f: (before: U, value: T, index: number, array: T[]) => U, first: U): U
  indexOf(item: T): number
  lastIndexOf(item: T): number
  includes(item: T): boolean
  join(by?: string): string
  keys(): IterableIterator<number>
  values(): IterableIterator<T>
  entries(): IterableIterator<[number, T]>
}
type Flat<T> = T extends Array<infer U> ? U : T
interface ArrayConstructor {
  new <T>(...items: T[]): T[]
  isArray(value: any): value is any[]
  from<T, U>(items: Iterable<T> | ArrayLike<T>, f: (value: T, index: number) => U): U[]
  from<T>(items: Iterable<T> | ArrayLike<T>): T[]
  of<T>(...items: T[]): T[]
}
declare const Array: ArrayConstructor
interface ObjectConstructor {
  entries<T>(value: { [key: string]: T } | ArrayLike<T>): [string, T][]
  values<T>(value: { [key: string]: T } | ArrayLike<T>): T[]
  keys(value: any): string[]
  assign<T, U, V, W>(target: T, a: U, b?: V, c?: W): T & U & V & W
  freeze<T>(value: T): T
  seal<T>(value: T): T
  fromEntries<T>(entries: Iterable<[any, T]>): { [key: string]: T }
  create(value: any): any
  setPrototypeOf<T>(value: T, prototype: any): T
  defineProperty<T>(value: T, key: any, attributes: any): T
}
declare const Object: ObjectConstructor
interface PromiseLike<T> { then<U>(done: (value: T) => U | PromiseLike<U>, failed?: (reason: any) => any): Promise<U> }
interface Promise<T> extends PromiseLike<T> {
  then<U>(done: (value: T) => U | PromiseLike<U>, failed?: (reason: any) => any): Promise<U>
  catch<U = never>(failed: (reason: any) => U): Promise<T | U>
  finally(f: () => void): Promise<T>
}
interface PromiseConstructor {
  new <T>(run: (resolve: (value: T | PromiseLike<T>) => void, reject: (reason?: any) => void) => void): Promise<T>
  resolve<T>(value: T | PromiseLike<T>): Promise<T>
  reject(reason?: any): Promise<never>
  all<T>(values: Iterable<T | PromiseLike<T>>): Promise<T[]>
  allSettled<T>(values: Iterable<T | PromiseLike<T>>): Promise<{ status: string; value: T; reason: any }[]>
  race<T>(values: Iterable<T | PromiseLike<T>>): Promise<T>
  any<T>(values: Iterable<T | PromiseLike<T>>): Promise<T>
  withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void; reject: (reason?: any) => void }
}
declare const Promise: PromiseConstructor
interface ReadonlyMap<K, V> extends Map<K, V> {}
interface Map<K, V> extends Iterable<[K, V]> {
  get(key: K): V | undefined
  set(key: K, value: V): this
  has(key: K): boolean
  delete(key: K): boolean
  clear(): void
  size: number
  forEach(f: (value: V, key: K, map: Map<K, V>) => void): void
  keys(): IterableIterator<K>
  values(): IterableIterator<V>
  entries(): IterableIterator<[K, V]>
}
interface MapConstructor { new <K, V>(entries?: Iterable<[K, V]>): Map<K, V>; groupBy<K, T>(items: Iterable<T>, f: (item: T) => K): Map<K, T[]> }
declare const Map: MapConstructor
interface WeakMap<K, V> { get(key: K): V | undefined; set(key: K, value: V): this; has(key: K): boolean; delete(key: K): boolean }
interface WeakMapConstructor { new <K, V>(entries?: Iterable<[K, V]>): WeakMap<K, V> }
declare const WeakMap: WeakMapConstructor
interface WeakRef<T> { deref(): T | undefined }
interface WeakRefConstructor { new <T>(value: T): WeakRef<T> }
declare const WeakRef: WeakRefConstructor
interface ReadonlySet<T> extends Set<T> {}
interface Set<T> extends Iterable<T> {
  add(value: T): this
  has(value: T): boolean
  delete(value: T): boolean
  clear(): void
  size: number
  forEach(f: (value: T, again: T, set: Set<T>) => void): void
  keys(): IterableIterator<T>
  values(): IterableIterator<T>
  entries(): IterableIterator<[T, T]>
  union(other: Set<T>): Set<T>
  intersection(other: Set<T>): Set<T>
  difference(other: Set<T>): Set<T>
}
interface SetConstructor { new <T>(values?: Iterable<T>): Set<T> }
declare const Set: SetConstructor
interface WeakSet<T> { add(value: T): this; has(value: T): boolean; delete(value: T): boolean }
interface WeakSetConstructor { new <T>(values?: Iterable<T>): WeakSet<T> }
declare const WeakSet: WeakSetConstructor
interface Error { message: string; name: string; stack: string; cause: any }
interface ErrorConstructor { new (message?: string, options?: any): Error; (message?: string): Error }
declare const Error: ErrorConstructor
interface TypeError extends Error {}
declare const TypeError: ErrorConstructor
declare const RangeError: ErrorConstructor
declare const SyntaxError: ErrorConstructor
declare function structuredClone<T>(value: T): T
type Partial<T> = T
type Required<T> = T
type Readonly<T> = T
type NoInfer<T> = T
type NonNullable<T> = T
type Awaited<T> = T
type Pick<T, K> = T
type Omit<T, K> = T
type Extract<T, U> = T
type Exclude<T, U> = T
type ReturnType<T> = T
type InstanceType<T> = T
type Parameters<T> = T
type ConstructorParameters<T> = T
type Record<K, T> = { [P in K]: T }
type ThisType<T> = unknown
type PropertyKey = string
type Uppercase<T> = string
type Lowercase<T> = string
type Capitalize<T> = string
type Uncapitalize<T> = string
`
