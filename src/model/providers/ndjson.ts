/** Lines of a stream of chunks, without empty ones; the last needs no line break. */
export async function* readLines(chunks: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let rest = ''
  for await (const chunk of chunks) {
    rest += chunk
    let from = 0
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n', from)) {
      const line = rest.slice(from, end)
      from = end + 1
      if (line.trim() !== '') yield line
    }
    if (from > 0) rest = rest.slice(from)
  }
  if (rest.trim() !== '') yield rest
}
