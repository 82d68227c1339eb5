import type { RunningServer } from '../support/server.ts'
import { axe, CONFIRMATION_ERRORS, confirmAsked, expect, open, test } from './fixtures.ts'

test.use({ expectedErrors: CONFIRMATION_ERRORS })

const execIn = async (server: RunningServer, id: string, command: string): Promise<string> =>
  (await server.api<{ output: string }>(`/api/sandboxes/${id}/exec`, { method: 'POST', body: { command } })).output

test('a sandbox with allowed addresses, files, variables and rules of its own; a snapshot, a fork, and one made from it', async ({
  app,
  server,
}) => {
  await open(app, server, '/sandboxes')
  await app.getByRole('button', { name: 'New sandbox' }).click()
  const dialog = app.getByRole('dialog', { name: 'New sandbox' })
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('first')
  await dialog.getByRole('combobox', { name: 'Network' }).click()
  await app.getByRole('option', { name: 'Allowed addresses' }).click()
  await dialog.getByLabel('Allowed addresses').fill('registry.example')
  await expect(dialog.getByText('"registry.example" is not host:port, as in api.example.com:443.')).toBeVisible()
  await dialog.getByLabel('Allowed addresses').fill('registry.example:443')
  await dialog.getByText('Environment and files').click()
  await dialog.getByLabel('Variables').fill('COLOUR=blue')
  await dialog.getByLabel('Files to copy in').setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('copied in') })
  await dialog.getByLabel('Path of a.txt inside').fill('/srv/a.txt')
  await expect(dialog.getByText(/^512 MB memory, 1 core, 1024 MB disk, 256 processes; 2 minutes per command/)).toBeVisible()
  await dialog.getByText('Guardrails').click()
  await dialog.getByRole('combobox', { name: /^This would discard uncommitted changes/ }).click()
  await app.getByRole('option', { name: 'Block' }).click()
  expect(await axe(app)).toEqual([])
  await dialog.getByRole('button', { name: 'Create and start' }).click()
  await expect(app.getByRole('dialog', { name: 'Confirm access to this address' })).toContainText('registry.example:443')
  await confirmAsked(app, server)

  await expect(app.getByRole('heading', { name: 'first', exact: true })).toBeVisible()
  await expect(app.getByRole('region', { name: 'Isolation' })).toContainText('only the allowed addresses')
  await expect(app.getByRole('region', { name: 'Guardrails' })).toContainText('Block: This would discard uncommitted changes.')
  const id = new URL(app.url()).pathname.split('/').at(-1)!
  const asked = 'cat /srv/a.txt; echo " $COLOUR"; exec 3<>/dev/tcp/127.0.0.1/3128; printf "CONNECT evil.example:443 HTTP/1.1\\r\\nHost: evil.example:443\\r\\n\\r\\n" >&3; head -1 <&3' // prettier-ignore
  expect(await execIn(server, id, asked)).toMatch(/^copied in blue\r?\nHTTP\/1.1 403/)
  const refused = app.getByRole('list', { name: 'Refused addresses' })
  await expect(refused).toContainText('evil.example:443 not on the list, 1 time')

  await app.getByLabel('Name of the snapshot').fill('with-a')
  await app.getByRole('button', { name: 'Save snapshot' }).click()
  await expect(app.getByLabel('Name of the snapshot')).toHaveValue('')
  expect(await axe(app)).toEqual([])
  await app.getByRole('button', { name: 'Fork sandbox' }).click()
  await expect(app.getByRole('heading', { name: 'first fork' })).toBeVisible()
  expect(await execIn(server, new URL(app.url()).pathname.split('/').at(-1)!, 'cat /srv/a.txt')).toBe('copied in')

  await app.getByRole('link', { name: 'All sandboxes' }).click()
  await app.getByRole('button', { name: 'New sandbox' }).click()
  await dialog.getByRole('combobox', { name: 'System' }).click()
  await app.getByRole('option', { name: 'with-a (bubblewrap)' }).click()
  await expect(dialog.getByText('The profile of the sandbox that the snapshot was taken of.')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('from it')
  await dialog.getByRole('button', { name: 'Create and start' }).click()
  await expect(app.getByRole('heading', { name: 'from it' })).toBeVisible()

  await open(app, server, '/settings/sandboxes')
  await expect(app.getByRole('list', { name: 'Snapshots' })).toContainText('with-a')
  expect(await axe(app)).toEqual([])
  await app.getByRole('button', { name: 'Remove with-a' }).click()
  await app.getByRole('button', { name: 'Remove snapshot' }).click()
  await expect(app.getByText('Save one from the page of a running sandbox.')).toBeVisible()
})
