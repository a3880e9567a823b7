import type { FormatReport, ModelProbe } from '../model/probe.ts'
import type { WindowChoice } from '../model/window.ts'
import type { Finding } from './doctor.ts'
import { plural } from '../lib/plural.ts'

const whole = (count: number): string => count.toLocaleString('en-US')

function windowFinding(probe: ModelProbe, { window, source, warning }: WindowChoice): Finding {
  const check = 'window'
  const size = `${whole(window)} tokens (${source === 'configured' ? 'configured' : source === 'reported' ? 'as the server says' : 'not known, so assumed'})`
  const tried = probe.window
  if (tried?.error) {
    const { message, suggestion } = tried.error
    return { check, state: 'fault', text: message, ...(suggestion === undefined ? {} : { suggestion }) }
  }
  if (tried?.warning !== undefined) return { check, state: 'fault', text: `${size}: ${tried.warning}` }
  if (warning !== undefined) return { check, state: 'warning', text: warning }
  if (tried === undefined) return { check, state: 'warning', text: `${size}; not tried` }
  const counted = tried.counted === undefined ? 'the server does not count' : `${whole(tried.counted)} counted`
  const text = `${size}; a prompt of about ${whole(tried.tokens)} tokens arrived whole (${counted})`
  if (tried.remembered) return { check, state: 'ok', text }
  return {
    check,
    state: 'warning',
    text: `${size}; the model did not know a word from the start of a prompt of about ${whole(tried.tokens)} tokens (${counted})`,
    suggestion: 'The prompt may have been cut, or the model is weak over long texts.',
  }
}

function formatText({ results, usable, error }: FormatReport): string {
  const repaired = results.filter((result) => result.outcome === 'repaired').length
  const asText = results.filter((result) => result.asText).length
  const more = [
    ...(repaired > 0 ? [`${repaired} after repair`] : []),
    ...(asText > 0 ? [`${asText} written as text`] : []),
    ...(error ? [error.message] : []),
  ]
  return `${usable} of ${Math.max(results.length, usable)} right${more.length > 0 ? ` (${more.join(', ')})` : ''}`
}

function toolFinding({ native, xml, best, dialect }: NonNullable<ModelProbe['tools']>, setting: string): Finding {
  const check = 'tool calls'
  const usable = best === 'native' ? native.usable : (xml?.usable ?? 0)
  const tried = `native ${formatText(native)}${xml ? `, as text ${formatText(xml)}` : ''}`
  if (usable === 0) {
    const suggestion = 'This model can hardly work as an agent: choose one trained for tool calls.'
    return { check, state: 'fault', text: `${tried}: no call could be used`, suggestion }
  }
  const form = best === 'native' ? "the server's own form" : `text${dialect === undefined ? '' : `, as ${dialect}`}`
  const use =
    setting === 'auto' ? `sessions begin with ${form}` : `${form} works best; toolFormat: ${setting} is configured`
  const wrong = [...native.results, ...(xml?.results ?? [])].find((result) => result.outcome === 'wrong')
  const all = usable === Math.max(native.results.length, xml?.results.length ?? 0)
  return {
    check,
    state: all && (setting === 'auto' || setting === best) ? 'ok' : 'warning',
    text: `${tried}; ${use}`,
    ...(wrong?.said === undefined
      ? {}
      : { suggestion: `${wrong.probe}: ${wrong.said.replaceAll(/\s+/g, ' ').slice(0, 120)}` }),
  }
}

/** What a probe of the model in use found, in findings. */
export function modelFindings(name: string, probe: ModelProbe, choice: WindowChoice, setting: string): Finding[] {
  const backend = `backend ${name.slice(0, name.indexOf('/'))}`
  const model = name.slice(name.indexOf('/') + 1)
  if (!probe.reachable.ok) {
    const { message, suggestion } = probe.reachable.error
    return [{ check: backend, state: 'fault', text: message, ...(suggestion === undefined ? {} : { suggestion }) }]
  }
  const { models, ms } = probe.reachable
  const there = models.length === 0 || models.includes(model)
  const findings: Finding[] = [
    {
      check: backend,
      state: 'ok',
      text: `answers in ${ms} ms, ${plural(models.length, 'model')}`,
    },
    there
      ? { check: 'model', state: 'ok', text: model }
      : {
          check: 'model',
          state: 'warning',
          text: `the server does not list ${model}`,
          suggestion: `It has ${models.slice(0, 5).join(', ')}${models.length > 5 ? ' …' : ''}.`,
        },
    windowFinding(probe, choice),
  ]
  if (probe.tools) findings.push(toolFinding(probe.tools, setting))
  return findings
}
