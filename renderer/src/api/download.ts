import { api } from './client.ts'

/** Lets the browser download a file of any size: a link has no header, so it carries a ticket. */
export async function download(path: string): Promise<void> {
  const { ticket } = await api.createTicket({ body: { method: 'GET', path } })
  const link = document.createElement('a')
  link.href = `${path}${path.includes('?') ? '&' : '?'}ticket=${ticket}`
  link.download = ''
  link.click()
}
