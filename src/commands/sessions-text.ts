import type { Session } from '../protocol/index.ts'

const DAY_MS = 86_400_000

/** One line of a list: id, last activity, messages, title. A terminal's width cuts the title, a pipe gets all of it. */
export function sessionLine(session: Session, now: number, width: number | undefined): string {
  const count = `${session.messageCount} msg`
  const head = `${session.id}  ${shortTime(session.updatedAt, now)}  ${count.padStart(7)}  `
  const title = session.title.replaceAll(/\s+/g, ' ')
  if (width === undefined || head.length + title.length <= width) return head + title
  return `${head}${title.slice(0, Math.max(0, width - head.length - 1))}…`
}

/** Time of the day for the last day, else the date; 10 characters. */
export function shortTime(time: number, now: number): string {
  const date = new Date(time)
  const two = (value: number): string => String(value).padStart(2, '0')
  return now - time < DAY_MS
    ? `${two(date.getHours())}:${two(date.getMinutes())}`.padEnd(10)
    : `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
