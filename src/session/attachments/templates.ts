// Templates of what a project keeps for codehound, and those of its own. Pure: files are read by whoever has them.
import { readFrontMatter } from '../front-matter.ts'

export interface Template {
  name: string
  /** What is made from it, for lists. */
  description: string
  /** Where the file goes, as the model is told; undefined when the template does not say. */
  place: string | undefined
  text: string
}

export const builtInTemplates: readonly Template[] = [
  {
    name: 'skill',
    description: 'how a recurring task is done, read when it is needed',
    place: '.codehound/skills/NAME/SKILL.md; NAME in lower case with hyphens, the same as `name:`',
    text: `---
name: NAME
description: One sentence: what it does and when it is to be used. It alone stands in every prompt.
---

# TITLE

## Steps

1. What to look at first, with paths.
2. What to do, with the commands as they are run here.
3. How to know that it worked.

## Mind

- What goes wrong easily, and what then.
`,
  },
  {
    name: 'command',
    description: 'a prompt of your own, sent as /NAME',
    place: '.codehound/commands/NAME.md; NAME of letters, digits and hyphens is what is typed after the slash',
    text: `---
description: What it does, for the list of commands.
---

What the model is asked to do with $ARGUMENTS (what follows the name stands here).

What to look at first, which may be @path, @diff, @todo or @symbol:Name.
What the result is, and what is to be left alone.
`,
  },
  {
    name: 'rule',
    description: 'what holds in every session of this project',
    place: '.codehound/rules/NAME.md; it is in every prompt, so it is short',
    text: `# TOPIC

- What holds, in one sentence; where the code shows it.
- What is not done here, and what is done instead.
`,
  },
  {
    name: 'agents',
    description: 'AGENTS.md: what an agent must know of this project',
    place: 'AGENTS.md at the root, or in the folder that it is about; one that is there is improved, not replaced',
    text: `# NAME

What the project is, in one or two sentences.

## Commands

- Install, build, test (all, and one file), lint, format: only those that exist.

## Layout

- \`folder/\`: what is in it.

## Conventions

- What cannot be guessed from the code. No advice that would hold for any project. At most 60 lines in all.
`,
  },
]

/** A file of templates. Front matter with nothing but `description` and `path` is about the template, any other is part of it. */
export function readTemplate(name: string, file: string): Template {
  const { fields, body } = readFrontMatter(file)
  const keys = Object.keys(fields)
  const isOurs = keys.length > 0 && keys.every((key) => key === 'description' || key === 'path')
  const text = isOurs ? body : file
  const first = body.split('\n').find((line) => line.trim() !== '') ?? ''
  return {
    name,
    description: (isOurs && fields['description']) || first.replace(/^#+\s*/, '').slice(0, 80),
    place: (isOurs && fields['path']) || undefined,
    text,
  }
}

/** What stands behind the message. */
export function templateText({ place, text }: Template): string {
  const where = place ?? 'not said; where the project has others of its kind'
  return `Where the file goes: ${where}.\nThe template:\n\n${text.trim()}`
}

export const unknownTemplate = (name: string, known: readonly Template[]): string =>
  `There is no template "${name}". Templates: ${known.map((each) => each.name).join(', ')}.`
