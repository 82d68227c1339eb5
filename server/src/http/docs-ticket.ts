/**
 * Script of the docs page. It sends calls with a one-time ticket instead of the session key, because the page shows the
 * requests it makes.
 */
export const DOCS_TICKET_SCRIPT = `'use strict'
const send = window.fetch.bind(window)
window.fetch = async (input, options) => {
  const key = localStorage.getItem('bashgym.session-key')
  const request = new Request(input, options)
  const url = new URL(request.url)
  const isOurs = url.origin === location.origin && url.pathname.startsWith('/api/') && url.pathname !== '/api/openapi.json'
  if (key === null || !isOurs || request.headers.has('authorization')) return send(input, options)
  const answer = await send('/api/session/ticket', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer ' + key },
    body: JSON.stringify({ method: request.method, path: url.pathname + url.search }),
  })
  if (!answer.ok) return send(request)
  const { ticket } = await answer.json()
  return send(new Request(url.href + (url.search === '' ? '?' : '&') + 'ticket=' + ticket, request))
}
`
