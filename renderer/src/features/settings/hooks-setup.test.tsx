import { fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { HooksPreview, HooksReport } from '#contracts/entities/capture.ts'
import { useConnection } from '#renderer/api/connection.ts'
import { showPart } from '#renderer/app/testing-page.tsx'
import HooksSetup from './hooks-setup.tsx'

const settingsFile = '/home/dev/.claude/settings.json'
const absent: HooksReport = {
  installed: false,
  events: [],
  settingsFile,
  backupFile: null,
  clientVersion: '2.1.329',
  problems: [],
  scriptFile: '/home/dev/.bashgym/hook',
  changed: false,
}
const installed: HooksReport = {
  ...absent,
  installed: true,
  backupFile: `${settingsFile}.bashgym-1`,
  events: [{ event: 'SessionEnd', state: 'installed', why: 'the session is over' }],
}
const preview: HooksPreview = {
  settingsFile,
  exists: true,
  before: '{}',
  after: '{"hooks":{}}',
  diff: '@@ -1 +1 @@\n-{}\n+{"hooks":{}}\n',
  command: '/home/dev/.bashgym/hook',
  events: ['SessionEnd'],
  changed: true,
}

type Answer = object | { status: number; message: string; hint: string }
const errorResponse = (message: string, hint: string) => ({ status: 409, message, hint })

/** Answers requests by method and path, and returns the list of requests. An unexpected request fails the test. */
function show(answers: Record<string, Answer>) {
  const requests: string[] = []
  vi.stubGlobal('fetch', (path: string, { method }: { method: string }) => {
    const request = `${method} ${path}`.toLowerCase()
    requests.push(request)
    const answer = answers[request]
    if (!answer) throw new Error(`Unexpected request: ${request}.`)
    if (!('status' in answer)) return Promise.resolve(Response.json(answer))
    const { status, ...error } = answer
    return Promise.resolve(Response.json({ error: { code: 'client_settings_invalid', ...error } }, { status }))
  })
  showPart(<HooksSetup />)
  return requests
}

const STATUS = 'get /api/hooks/status'
const TO_INSTALL = 'get /api/hooks/preview?action=install'
const TO_REMOVE = 'get /api/hooks/preview?action=uninstall'
const INSTALL = 'post /api/hooks/install'
const REMOVE = 'post /api/hooks/uninstall'

describe('hooks setup', () => {
  it('shows the exact change and writes nothing before the button is pressed', async () => {
    const requests = show({ [STATUS]: absent, [TO_INSTALL]: preview, [INSTALL]: installed })
    const change = await screen.findByRole('region', { name: `Change to ${settingsFile}` })
    expect(change.textContent).toContain('{"hooks":{}}')
    expect(screen.getByText(/a backup of the current file is kept/)).toBeTruthy()
    expect(requests).not.toContain(INSTALL)

    fireEvent.click(screen.getByRole('button', { name: 'Install hooks' }))
    const events = await screen.findByRole('table', { name: 'Hook events' })
    expect(within(events).getByText('SessionEnd')).toBeTruthy()
    expect(screen.getByText(`${settingsFile}.bashgym-1`)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Install hooks' })).toBeNull()
  })

  it('says that a file is created when there is none', async () => {
    show({ [STATUS]: absent, [TO_INSTALL]: { ...preview, exists: false } })
    expect((await screen.findByText(/This creates/)).textContent).toBe(`This creates ${settingsFile}.`)
  })

  it('shows why a settings file cannot be changed, instead of the button', async () => {
    show({ [STATUS]: absent, [TO_INSTALL]: errorResponse('line 3: a comment', 'Remove the comment.') })
    expect(await screen.findByText("Couldn't prepare the installation")).toBeTruthy()
    expect(screen.getByText('line 3: a comment')).toBeTruthy()
    expect(screen.getByText('Remove the comment.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Install hooks' })).toBeNull()
  })

  it('keeps the change on screen with the reason when writing fails', async () => {
    show({ [STATUS]: absent, [TO_INSTALL]: preview, [INSTALL]: errorResponse('The file changed meanwhile.', 'Look at it again.') })
    fireEvent.click(await screen.findByRole('button', { name: 'Install hooks' }))
    expect(await screen.findByText("Couldn't install the hooks")).toBeTruthy()
    expect(screen.getByText('The file changed meanwhile.')).toBeTruthy()
    expect(screen.getByRole('region', { name: `Change to ${settingsFile}` })).toBeTruthy()
  })

  it('asks before removing hooks, and removes nothing on cancel', async () => {
    const requests = show({ [STATUS]: installed, [TO_REMOVE]: preview, [REMOVE]: absent, [TO_INSTALL]: preview })
    fireEvent.click(await screen.findByRole('button', { name: 'Remove hooks …' }))
    fireEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
    expect(requests).not.toContain(REMOVE)
    fireEvent.click(screen.getByRole('button', { name: 'Remove hooks …' }))
    fireEvent.click(await screen.findByRole('button', { name: 'Remove hooks' }))
    expect(await screen.findByRole('button', { name: 'Install hooks' })).toBeTruthy()
    expect(requests).toContain(REMOVE)
  })

  it('offers the missing events of an older installation and shows its problems', async () => {
    const problem = { kind: 'script', message: 'The script is not executable.' }
    show({
      [STATUS]: { ...installed, events: [{ event: 'SessionEnd', state: 'missing', why: 'new in this version' }], problems: [problem] },
      [TO_INSTALL]: preview,
    })
    expect((await screen.findByRole('alert')).textContent).toBe('The script is not executable.')
    expect(await screen.findByRole('button', { name: 'Install hooks' })).toBeTruthy()
  })

  it('installs nothing while the server is offline', async () => {
    useConnection.setState({ state: 'offline' })
    const requests = show({ [STATUS]: absent, [TO_INSTALL]: preview, [INSTALL]: installed })
    fireEvent.click(await screen.findByRole('button', { name: /Install hooks/ }))
    expect(requests).not.toContain(INSTALL)
  })

  it('disables the button when no change is needed', async () => {
    const requests = show({ [STATUS]: absent, [TO_INSTALL]: { ...preview, changed: false }, [INSTALL]: installed })
    const button = await screen.findByRole('button', { name: /Install hooks/ })
    expect(screen.getByText('No change is needed.')).toBeTruthy()
    fireEvent.click(button)
    expect(requests).not.toContain(INSTALL)
  })

  it('shows why the hook status could not be loaded', async () => {
    show({ [STATUS]: errorResponse('The folder cannot be read.', 'Check its permissions.') })
    expect(await screen.findByText("Couldn't load the hook status")).toBeTruthy()
    expect(screen.getByText('The folder cannot be read.')).toBeTruthy()
  })
})
