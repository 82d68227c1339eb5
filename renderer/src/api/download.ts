import { api } from './client.ts'

/** Has the browser fetch a file by itself, as large as it may be: a link carries no header, so it gets a ticket. */
export async function download(path: string): Promise<void> {
  const { ticket } = await api.createTicket({ body: { method: 'GET', path } })
  const link = document.createElement('a')
  link.href = `${path}${path.includes('?') ? '&' : '?'}ticket=${ticket}`
  link.download = ''
  link.click()
}
