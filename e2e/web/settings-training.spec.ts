import fs from 'node:fs'
import path from 'node:path'
import type { Workspace } from '../support/server.ts'
import { axe, CONFIRMATION_ERRORS, confirmAsked, expect, open, reload, test as base, withServer } from './fixtures.ts'

/**
 * A stand-in for Python: it makes environments that are copies of itself and says what pip would. It stops before the
 * libraries until `HOME/go` is there, so that a test can look at it in the middle.
 */
const PYTHON = `#!/bin/sh
here=$(dirname "$0")
case "$*" in
  "-m bashgym_trainers.probe"*)
    if [ -e "$here/packages" ]; then
      packages='{"torch":"2.13.0+cpu","trl":"1.16.0","transformers":"5.23.0","peft":"0.21.2","accelerate":"1.15.0","datasets":"5.2.0","safetensors":"0.8.0","gguf":"0.19.0","jsonschema":"4.25.0","psutil":"7.2.2"}'
      missing='[]'
    else packages='{}' missing='["torch","transformers","trl","peft"]'; fi
    echo '{"version":"VERSION","executable":"'"$0"'","prefix":"/","venv":true,"packages":'$packages',"stamp":{},"missing":'$missing',"problem":null,"cuda":null,"devices":[]}' ;;
  "-m venv "*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
  *cpu.txt) echo "Collecting torch==2.13.0"; echo "  Downloading torch-2.13.0.whl (180.0 MB)"
    while [ ! -e "$HOME/go" ]; do echo "Progress 45000000 of 180000000"; sleep 0.1; done
    echo "Installing collected packages: torch" ;;
  *common.txt) touch "$here/packages"; echo "Successfully installed everything-1.0" ;;
esac
`
const place = (workspace: Workspace, name: string, version: string) => {
  const file = path.join(workspace.dir, name, 'python3')
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, PYTHON.replace('VERSION', version), { mode: 0o755 })
  return file
}

const test = base.extend({
  server: async ({ workspace }, use) => {
    const folder = path.dirname(place(workspace, 'bin', '3.12.1'))
    await withServer(workspace, { PATH: `${folder}:/usr/bin:/bin` }, use)
  },
})

test.describe('at 1,024 px', () => {
  test.use({ viewport: { width: 1024, height: 700 } })

  test('the environment is installed, cancelled, gone on with, repaired and removed', async ({ app, server, workspace }) => {
    await open(app, server, '/settings/training')
    const section = app.getByRole('region', { name: 'Python for training' })
    await expect(section.getByText('No Python that can train was found.')).toBeVisible()
    expect(await axe(app)).toEqual([])

    await section.getByRole('button', { name: 'Install environment' }).click()
    await expect(section.getByText('PyTorch · torch==2.13.0, 45 of 180 MB')).toBeVisible()
    await section.getByText('Installation log').click()
    await expect(section.getByRole('region', { name: 'installation log' })).toContainText('Downloading torch-2.13.0.whl')
    expect(await axe(app)).toEqual([])
    await reload(app)
    await expect(section.getByText('PyTorch · torch==2.13.0, 45 of 180 MB')).toBeVisible()
    await test.step('after a cancel it is not shown as installed, even while its state is still being read', async () => {
      const gate = Promise.withResolvers<void>()
      await app.route('**/api/training/environment', async (route) => {
        await gate.promise
        await route.continue()
      })
      await section.getByRole('button', { name: 'Cancel' }).click()
      await expect(app.getByText(/^Looking for a Python that can train/)).toBeAttached()
      await expect(app.getByText('Installation in progress.')).toHaveCount(0)
      gate.resolve()
    })
    await expect(section.getByText('Cancelled. Downloaded files are kept; install again to continue.')).toBeVisible()
    await expect(section.getByRole('alert')).toContainText('The environment is not completely installed.')
    await app.unroute('**/api/training/environment')

    fs.writeFileSync(path.join(workspace.dir, 'go'), '')
    await section.getByRole('button', { name: 'Resume installation' }).click()
    await expect(section.getByText('All packages work; models can be trained.')).toBeVisible()
    await expect(section.getByText('installed by Bash Gym')).toBeVisible()
    const packages = section.getByRole('table', { name: 'Packages' })
    await expect(packages.getByRole('row', { name: /jsonschema/ })).toContainText('other version')
    await expect(packages.getByRole('row', { name: /torch/ })).not.toContainText('other version')
    expect(await axe(app)).toEqual([])
    await reload(app)
    await expect(section.getByText('All packages work; models can be trained.')).toBeVisible()

    fs.rmSync(path.join(workspace.dir, 'go'))
    await section.getByRole('button', { name: 'Repair environment …' }).click()
    await app.getByRole('dialog').getByRole('button', { name: 'Repair environment' }).click()
    await expect(section.getByText('PyTorch · torch==2.13.0, 45 of 180 MB')).toBeVisible()
    fs.writeFileSync(path.join(workspace.dir, 'go'), '')
    await expect(section.getByText('All packages work; models can be trained.')).toBeVisible()
    await section.getByRole('button', { name: 'Remove environment …' }).click()
    await app.getByRole('dialog').getByRole('button', { name: 'Remove environment' }).click()
    await expect(section.getByRole('button', { name: 'Install environment' })).toBeVisible()
    expect(fs.existsSync(path.join(workspace.dataDir, 'env'))).toBe(false)
  })
})

test.describe('with a confirmation', () => {
  test.use({ expectedErrors: CONFIRMATION_ERRORS })
  test('a Python that is named is taken, or refused with the reason', async ({ app, server, workspace }) => {
    const old = place(workspace, 'old', '3.8.18')
    const good = place(workspace, 'good', '3.13.0')
    fs.writeFileSync(path.join(path.dirname(good), 'packages'), '')
    await open(app, server, '/settings/training')
    const section = app.getByRole('region', { name: 'Python for training' })
    const field = app.getByLabel('Interpreter', { exact: true })
    await field.fill('python3')
    await expect(app.getByText('Enter an absolute path.')).toBeVisible()
    await field.fill(old)
    await field.press('Enter')
    await confirmAsked(app, server)
    await expect(section.getByRole('alert')).toContainText('Python 3.8.18 is not supported')
    expect(await axe(app)).toEqual([])
    await field.fill(good)
    await field.press('Enter')
    await confirmAsked(app, server)
    await expect(section.getByText('set below')).toBeVisible()
    await expect(section.getByText('All packages work; models can be trained.')).toBeVisible()
  })
})

test.describe('when it cannot be asked', () => {
  test.use({ expectedErrors: /500 \(Internal Server Error\)/ })
  test('the page says so, tries again, and another Python can be named meanwhile', async ({ app, server }) => {
    const address = '**/api/training/environment'
    const error = { error: { code: 'internal', message: 'Something went wrong inside Bash Gym.' } }
    await app.route(address, (route) => route.fulfill({ status: 500, json: error }))
    await open(app, server, '/settings/training')
    const alert = app.getByRole('alert').filter({ hasText: "Couldn't check Python" })
    await expect(alert).toBeVisible({ timeout: 30_000 })
    await expect(app.getByRole('textbox', { name: 'Interpreter', exact: true })).toBeEnabled()
    await app.unroute(address)
    await alert.getByRole('button', { name: 'Try again' }).click()
    await expect(app.getByRole('region', { name: 'Python for training' })).toBeVisible()
  })
})
