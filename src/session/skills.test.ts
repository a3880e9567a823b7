import { expect, test } from 'vitest'
import { readFrontMatter } from './front-matter.ts'

test('fields are plain, quoted or folded; what follows the marks is the body', () => {
  const text =
    '---\nname: pdf\ndescription: >\n  Reads PDF files.\n  Use it for forms.\nlicense: "MIT"\n---\n# PDF\nbody\n'
  expect(readFrontMatter(text)).toEqual({
    fields: { name: 'pdf', description: 'Reads PDF files. Use it for forms.', license: 'MIT' },
    body: '# PDF\nbody\n',
  })
})

test('a file without marks is all body, and marks that never end are none', () => {
  expect(readFrontMatter('# Title\n')).toEqual({ fields: {}, body: '# Title\n' })
  expect(readFrontMatter('---\nname: x\n')).toEqual({ fields: {}, body: '---\nname: x\n' })
})
