import { expect, open, test } from './fixtures.ts'

test('from an empty page to a shell: create, run commands, interrupt one, see what holds, stop', async ({ app, server }) => {
  await open(app, server, '/sandboxes')
  await expect(app.getByRole('heading', { name: 'No sandboxes yet' })).toBeVisible()
  await app.getByRole('button', { name: 'New sandbox' }).click()
  const dialog = app.getByRole('dialog', { name: 'New sandbox' })
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('first try')
  await dialog.getByLabel('Set-up commands').fill('echo ready > /tmp/ready.txt')
  await dialog.getByRole('button', { name: 'Create and start' }).click()

  await expect(app.getByRole('heading', { name: 'first try' })).toBeVisible()
  const line = app.getByRole('textbox', { name: 'Command', exact: true })
  const log = app.getByRole('log', { name: 'Commands and their output' })
  await line.fill('cat /tmp/ready.txt; cd /usr/lib; x=5')
  await line.press('Enter')
  await expect(log).toContainText('ready')
  await line.fill('echo "$PWD $x"; false')
  await line.press('Enter')
  await expect(log).toContainText('/usr/lib 5')
  await expect(log).toContainText('exit code 1')

  await line.fill('sleep 60')
  await line.press('Enter')
  await app.getByRole('button', { name: /Interrupt/ }).click()
  await expect(log).toContainText('exit code 130')
  await line.fill('echo still $x')
  await line.press('Enter')
  await expect(log).toContainText('still 5')

  const isolation = app.getByRole('region', { name: 'Isolation' })
  await expect(isolation).toContainText('bubblewrap')
  await expect(isolation).toContainText('filtered')

  await app.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(app.getByText(/^Stopped\. You can still read its commands/)).toBeVisible()
  await app.getByRole('link', { name: 'All sandboxes' }).click()
  await expect(app.getByRole('list', { name: 'Ended sandboxes' })).toContainText('first try')
})

test.describe('a start that fails', () => {
  test.use({ expectedErrors: /400 \(Bad Request\)/ })

  test('a sandbox whose set-up fails says which command and why', async ({ app, server }) => {
    await open(app, server, '/sandboxes')
    await app.getByRole('button', { name: 'New sandbox' }).click()
    const dialog = app.getByRole('dialog', { name: 'New sandbox' })
    await dialog.getByLabel('Set-up commands').fill('cat /no/such/file')
    await dialog.getByRole('button', { name: 'Create and start' }).click()
    await expect(app.getByText(/Couldn't be started\. Set-up command 1 ended with exit code 1: cat \/no\/such\/file/)).toBeVisible()
  })
})
