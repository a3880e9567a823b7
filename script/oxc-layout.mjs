// Writes src/index/languages/typescript/layout.ts: where each field of each syntax node stands in the buffer that oxc-parser
// fills, how it is told that an optional field is there, and what it holds, read off the lazy node classes that the installed
// version ships and compared with its eager deserializer, which is what most of its users run. Run it after changing that
// version; src/index/languages/typescript/layout.test.ts holds it.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const parser = join(root, 'node_modules/oxc-parser')
const target = join(root, 'src/index/languages/typescript/layout.ts')

/** The order of code units, whatever the machine's language. */
const byText = (a, b) => (a < b ? -1 : a > b ? 1 : 0)

// What the lazy classes leave out (0.158: super classes, rest elements, `this` parameters, some annotations), as the eager
// deserializer of the same package reads it, and what is read of comments and errors.
const EXTRA = {
  Comment: ['start@0:I32', 'end@4:I32', 'attachedTo@12:I32', 'position@18:Bool'],
  ErrorLabel: ['start@0:I32'],
  ArrayAssignmentTarget: ['rest@40:OptionBoxAssignmentTargetRest'],
  ObjectAssignmentTarget: ['rest@40:OptionBoxAssignmentTargetRest'],
  AssignmentTargetRest: ['argument@16:AssignmentTarget'],
  VariableDeclarator: ['typeAnnotation@32:OptionBoxTSTypeAnnotation'],
  CatchParameter: ['typeAnnotation@32:OptionBoxTSTypeAnnotation'],
  ObjectPattern: ['rest@40:OptionBoxBindingRestElement'],
  ArrayPattern: ['rest@40:OptionBoxBindingRestElement'],
  BindingRestElement: ['argument@16:BindingPattern'],
  Function: ['thisParam@56:OptionBoxTSThisParameter'],
  TSCallSignatureDeclaration: ['thisParam@24:OptionBoxTSThisParameter'],
  TSMethodSignature: ['thisParam@40:OptionBoxTSThisParameter'],
  TSFunctionType: ['thisParam@24:OptionBoxTSThisParameter'],
  TSThisParameter: ['typeAnnotation@24:OptionBoxTSTypeAnnotation'],
  FormalParameters: ['rest@40:OptionBoxFormalParameterRest'],
  FormalParameterRest: [
    'decorators@16:VecDecorator',
    'argument@56:BindingPattern',
    'typeAnnotation@72:OptionBoxTSTypeAnnotation',
  ],
  FormalParameter: ['accessibility@13:OptionTSAccessibility', 'readonly@14:Bool', 'override@15:Bool'],
  Class: ['superClass@80:OptionExpression', 'superTypeArguments@96:ClassSuperTypeArguments'],
}

export function oxcLayout() {
  const { version } = JSON.parse(readFileSync(join(parser, 'package.json'), 'utf8'))
  // The shipped file breaks long calls over lines: join them again.
  const source = readFileSync(join(parser, 'src-js/generated/lazy/constructors.js'), 'utf8')
    .replace(/(construct\w*|new \w+)\(\n\s+([^()]*?),?\n\s+\)/g, '$1($2)')
    .replace(/,\n\s+(?=[\w"])/g, ', ')
  const constants = readFileSync(join(parser, 'src-js/generated/constants.js'), 'utf8')
  const structs = new Map()
  const placeless = new Set()
  for (const [, name, body] of source.matchAll(/^(?:export )?class (\w+) \{\n([\s\S]*?)^\}/gm)) {
    structs.set(name, fields(body))
    if (!/^ {2}get start\(\)/m.test(body)) placeless.add(name)
  }
  const shapes = new Map()
  for (const [, name, body] of source.matchAll(/^function construct(\w+)\(pos, ast\) \{\n([\s\S]*?)^\}/gm)) {
    const text = shape(name, body)
    if (text) shapes.set(name, text)
  }
  for (const [name, extra] of Object.entries(EXTRA)) {
    const offset = (field) => field.split('@')[1].split(':')[0]
    const known = new Set((structs.get(name) ?? []).map(offset))
    structs.set(name, [...(structs.get(name) ?? []), ...extra.filter((field) => !known.has(offset(field)))])
    shapes.set(`Box${name}`, `box ${name}`)
    shapes.set(`OptionBox${name}`, `some32 0 Box${name}`)
  }
  const own = structs.get('RawTransferData').filter((field) => /^(program|comments|errors)@/.test(field))
  structs.set('RawTransferData', [...new Set(['program@0:Program', ...own])])
  // Nothing was written there when there is no super class.
  const [, , none] = shapes.get('OptionExpression').split(' ')
  shapes.set('ClassSuperTypeArguments', `some8 -16 ${none} OptionBoxTSTypeParameterInstantiation`)
  // Only what a program can reach.
  const used = new Set()
  const queue = ['RawTransferData']
  const lines = { structs: [], shapes: [] }
  for (let name = queue.pop(); name; name = queue.pop()) {
    if (used.has(name)) continue
    used.add(name)
    const text = shapes.get(name)
    if (text && text !== `is ${name}`) {
      lines.shapes.push(`${name} ${text}`)
      queue.push(...(text.match(/[A-Z]\w+/g) ?? []))
    } else if (structs.has(name)) {
      const parts = structs.get(name)
      lines.structs.push(`${name} ${parts.join(' ')}`.trim())
      queue.push(...parts.map((part) => part.split(':')[1]))
    }
  }
  agree(structs, shapes, used)
  const number = (name) => Number(constants.match(new RegExp(`${name} = (\\d+)`))[1])
  return `// Made by script/oxc-layout.mjs from oxc-parser ${version}; do not edit.
// A struct line: its name, then field@byteOffset:Shape. A shape line: its name and how to read it:
// \`some32 N S\`: absent when the 8 bytes from word N on are 0, else S; \`some8 N B S\`: absent when byte N is B, else S;
// \`box S\`: the position of an S; \`vec N S\`: position and number of S, N bytes each; \`enum\`, \`word\`: by the leading byte; \`is S\`.

export const OXC_VERSION = '${version}'
export const BLOCK_SIZE = ${number('BLOCK_SIZE')}
export const BLOCK_ALIGN = ${number('BLOCK_ALIGN')}
export const BUFFER_SIZE = ${number('BUFFER_SIZE')}
export const ACTIVE_SIZE = ${number('ACTIVE_SIZE')}
export const DATA_POINTER_POS_32 = ${number('DATA_POINTER_POS_32')}

/** Structs without an offset of their own in the text. */
export const PLACELESS = \`
${[...placeless]
  .filter((name) => used.has(name))
  .sort(byText)
  .join('\n')}
\`
export const STRUCTS = \`
${lines.structs.sort(byText).join('\n')}
\`
export const SHAPES = \`
${lines.shapes.sort(byText).join('\n')}
\`
`
}

// What the eager deserializer reads in the struct around it, under another name, or never.
const UNREAD = new Set([
  'Class.superTypeArguments',
  'Comment.attachedTo',
  'Comment.position',
  'FormalParameters.kind',
  'FormalParameters.rest',
  'Program.sourceType',
  'RegExp.pattern',
])
const INLINED = new Set([
  'BoxFormalParameterRest',
  'ClassSuperTypeArguments',
  'FormalParameterRest',
  'OptionBoxFormalParameterRest',
  'RegExpPattern',
  'SourceType',
])

/** Throws where the eager deserializer reads a field elsewhere or otherwise, or tells in another way that it is there. */
function agree(structs, shapes, used) {
  const source = readFileSync(join(parser, 'src-js/generated/deserialize/ts.js'), 'utf8')
  const bodies = new Map()
  for (const [, name, body] of source.matchAll(/^function deserialize(\w+)\(pos\) \{\n([\s\S]*?)^\}/gm))
    bodies.set(name, body)
  const wrong = []
  for (const name of used) {
    const body = bodies.get(name)
    const [word, at, none] = (shapes.get(name) ?? '').split(' ')
    // The value of a word, or a part that is read where it stands.
    if (INLINED.has(name) || word === 'word' || (!structs.has(name) && !shapes.has(name))) continue
    if (body === undefined) wrong.push(`${name} is not read`)
    else if (structs.has(name)) {
      const read = new Set(
        [...body.matchAll(/deserialize(\w+)\(pos(?: \+ (\d+))?\)/g)].map(
          ([, type, offset]) => `${offset ?? 0}:${type}`,
        ),
      )
      for (const [, place] of body.matchAll(/int32\[\(pos >> 2\) \+ (\d+)\] === 0 && /g))
        read.add(`${place * 4}:OptionStr`)
      for (const text of structs.get(name)) {
        const [field, place] = text.split('@')
        if (!UNREAD.has(`${name}.${field}`) && !read.has(place)) wrong.push(`${name} ${text}`)
      }
    } else if (word === 'some32') {
      const first = at === '0' ? 'pos >> 2' : `(pos >> 2) + ${at}`
      if (!body.includes(`int32[${first}] === 0 && int32[(pos >> 2) + ${Number(at) + 1}] === 0`)) wrong.push(name)
    } else if (word === 'some8') {
      if (!body.includes(`uint8[pos${at === '0' ? '' : ` + ${at}`}] === ${none} ? null`)) wrong.push(name)
    } else if (/\bnull\b/.test(body)) wrong.push(`${name} may be absent`)
    else if (word === 'vec' && !body.includes(`pos += ${at};`)) wrong.push(name)
  }
  if (wrong.length > 0) throw new Error(`The eager deserializer disagrees: ${wrong.join(', ')}`)
}

function fields(body) {
  const found = []
  for (const [, name, rest] of body.matchAll(/^ {2}get (\w+)\(\) \{\n([\s\S]*?)^ {2}\}/gm)) {
    if (name === 'start' || name === 'end') continue
    const at = /(?:construct|new )(\w+)\(internal\.pos(?: \+ (\d+))?, internal\.ast\)/.exec(rest)
    if (at) found.push(`${name}@${at[2] ?? 0}:${at[1]}`)
  }
  return found
}

function shape(name, body) {
  const vec = /new NodeArray\(int32\[pos32\], int32\[pos32 \+ 2\], (\d+), construct(\w+), ast\)/.exec(body)
  if (vec) return `vec ${vec[1]} ${vec[2]}`
  if (name.startsWith('Box')) return `box ${name.slice(3)}`
  const inner = /return (?:construct|new )(\w+)\(pos, ast\)/.exec(body)?.[1]
  if (body.includes('return null')) {
    const word = /int32\[\(?pos >> 2\)?(?: \+ (\d+))?\] === 0 &&/.exec(body)
    if (word) return `some32 ${word[1] ?? 0} ${inner}`
    const byte = /buffer\[pos(?: \+ (\d+))?\] === (\d+)\)/.exec(body)
    return `some8 ${byte[1] ?? 0} ${byte[2]} ${inner}`
  }
  if (body.includes('switch (ast.buffer[pos])')) {
    const cases = [...body.matchAll(/case (\d+):\s+return (?:construct|new )(\w+)\(pos \+ 8, ast\)/g)]
    if (cases.length > 0) return `enum ${cases.map(([, key, type]) => `${key}=${type}`).join(' ')}`
    return `word ${[...body.matchAll(/case (\d+):\s+return "([^"]*)"/g)].map(([, key, word]) => `${key}=${word.replace(' ', '-')}`).join(' ')}`
  }
  return inner ? `is ${inner}` : undefined
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(target, oxcLayout())
