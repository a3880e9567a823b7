// From what the model wrote to a call that can run: the tool a name means, arguments mended and coerced, and every repair
// named. What cannot be read becomes a fault that shows the model a right form; nothing is ever invented.
import type { ToolRegistry } from '../tools/registry.ts'
import type { CallResolver, PendingCall } from './ports.ts'

/** A resolver for models that make their calls in the provider's own form only. */
export function nativeResolver(registry: ToolRegistry): CallResolver {
  return {
    resolve: ({ id, name, argumentsText }): PendingCall => {
      const call = { id, name, rawArgs: argumentsText }
      if (argumentsText.trim() === '') return { ...call, args: {} }
      try {
        const args: unknown = JSON.parse(argumentsText)
        if (typeof args === 'object' && args !== null && !Array.isArray(args))
          return { ...call, args: args as Record<string, unknown> }
        return {
          ...call,
          args: {},
          fault: `The arguments of ${name} must be a JSON object; this was ${argumentsText.slice(0, 80)}.`,
        }
      } catch (error) {
        return { ...call, args: {}, fault: `The arguments of ${name} are not JSON: ${(error as Error).message}.` }
      }
    },
    scanner: () => undefined,
    observe: () => {},
    effect: (name) => registry.find(name)?.effect,
  }
}
