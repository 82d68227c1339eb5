import { lookup } from '#contracts/lookup.ts'

/** Address of the link on a page of the shell. It is never loaded: `guardContents` handles the click and stops the navigation. */
export const RETRY_LINK = 'http://retry.bashgym.invalid/'

export interface StatusPage {
  title: string
  text: string
  /** Text of the link that starts the server again. */
  retry?: string
}

/** A page of the shell, shown while there is no server: text only, no script. Text in backticks is code. Its accent colour is from tokens.css. */
export function statusPage({ title, text, retry }: StatusPage): string {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Bash Gym</title><style>:root{color-scheme:light dark}body{font:14px/1.45 system-ui,sans-serif;margin:0;height:100vh;display:grid;place-content:center;background:#fbfbfc;color:#16191d}
main{padding:24px;max-width:72ch}h1{font-size:20px;font-weight:600;margin:0 0 8px}p{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}a{display:inline-block;margin-top:16px;color:#4453d6}code{font:13px/1.45 ui-monospace,monospace}
@media(prefers-color-scheme:dark){body{background:#0e1013;color:#e6e8eb}a{color:#8b9dff}}</style>
<main><h1>${escape(title)}</h1><p>${escape(text).replace(/`([^`]+)`/g, '<code>$1</code>')}</p>${retry ? `<a href="${RETRY_LINK}">${escape(retry)}</a>` : ''}</main></html>`
  return `data:text/html;charset=utf-8,${encodeURIComponent(html)}`
}

const ENTITIES: Record<string, string> = lookup({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })
const escape = (text: string) => text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char)
