import { expect, test } from 'vitest'
import { builtInTemplates, readTemplate, templateText } from './templates.ts'

test('front matter with description and path is about the template, any other belongs to it', () => {
  expect(readTemplate('adr', '---\ndescription: A decision\npath: docs/adr/NNNN-title.md\n---\n# Title\n')).toEqual({
    name: 'adr',
    description: 'A decision',
    place: 'docs/adr/NNNN-title.md',
    text: '# Title\n',
  })
  const post = '---\ntitle: T\npath: /blog/t\n---\n\n# A post\n'
  expect(readTemplate('post', post)).toEqual({ name: 'post', description: 'A post', place: undefined, text: post })
})

test('what a template leaves open is said', () => {
  expect(templateText({ name: 'x', description: '', place: undefined, text: 'body\n' })).toBe(
    'Where the file goes: not said; where the project has others of its kind.\nThe template:\n\nbody',
  )
})

test('templates that are built in have what lists and the model need', () => {
  expect(builtInTemplates.map(({ name }) => name)).toEqual(['skill', 'command', 'rule', 'agents'])
  for (const { description, place, text } of builtInTemplates) {
    expect(description).toMatch(/\S/)
    expect(place).toMatch(/\.md/)
    expect(text.endsWith('\n')).toBe(true)
  }
})
