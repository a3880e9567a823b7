/** Text from outside between marks that say what it is; nothing in it can look like the end of them. */
export function fence(tag: string, attributes: Readonly<Record<string, string>>, text: string): string {
  const marks = new RegExp(`<(/?\\s*${tag}\\b)`, 'gi')
  const named = Object.entries(attributes).map(([name, value]) => ` ${name}="${value.replaceAll(/["<>\n]/g, '_')}"`)
  return `<${tag}${named.join('')}>\n${text.replaceAll(marks, '< $1')}\n</${tag}>`
}
