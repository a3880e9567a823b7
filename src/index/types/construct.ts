// What `new` makes of a value.
import { parts, union, type Checker, type Type } from './model.ts'

/** What `new` makes of a type, with type arguments. */
export function made(c: Checker, type: Type, args: Type[]): Type {
  return union(
    parts(type).flatMap((part) => {
      if (part.kind === 'value' && part.nodes.some((node) => node.kind === 'Class'))
        return [c.instanceOf({ nodes: part.nodes }, args, part.env)]
      return c.signatures(part, true).map((signature) => {
        const own = signature.node.get('typeParameters')?.list('params') ?? []
        const env = new Map(signature.env)
        for (const [i, parameter] of own.entries()) if (args[i]) env.set(parameter, args[i])
        return c.returned({ node: signature.node, env })
      })
    }),
  )
}
