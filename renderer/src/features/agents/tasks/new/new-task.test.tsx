import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { type Task, type TaskPlan, TaskRequest } from '#contracts/entities/task.ts'
import { api } from '#renderer/api/client.ts'
import { useConnection } from '#renderer/api/connection.ts'
import { TooltipProvider } from '#renderer/ui/tooltip.tsx'
import NewTask from './new-task.tsx'

afterEach(() => window.history.replaceState(null, '', '/'))

const PLAN: TaskPlan = { agent: { version: '1', missing: null }, payer: 'Nobody.', privacy: 'To nobody.', redaction: { isOn: false, isFixed: false }, model: null, price: null, repository: null, setup: [], checks: [], checksLack: null, isolation: 'docker', refusals: [] } // prettier-ignore

test('a task with an image is planned and started in Docker with a valid request', async () => {
  const request = TaskRequest.parse({ prompt: 'Mend it.', agent: 'shell', backend: 'docker', image: 'node:24' })
  vi.spyOn(api, 'getTask').mockResolvedValue({ request } as Task)
  vi.spyOn(api, 'listProviders').mockResolvedValue({ items: [] } as never)
  vi.spyOn(api, 'getSandboxLimits').mockResolvedValue({ backends: [{ name: 'docker', images: ['node:24'] }] } as never)
  const plan = vi.spyOn(api, 'planTask').mockResolvedValue(PLAN)
  const start = vi.spyOn(api, 'createTask').mockReturnValue(new Promise(() => undefined))
  useConnection.setState({ state: 'online' })
  window.history.replaceState(null, '', '/agents/tasks/new?from=t')
  render(
    <QueryClientProvider client={new QueryClient()}>
      <TooltipProvider>
        <NewTask />
      </TooltipProvider>
    </QueryClientProvider>,
  )
  expect(await screen.findByText('node:24 (Docker)', { selector: 'summary > span' })).toBeTruthy()
  const agent = await within(await screen.findByRole('complementary', { name: 'Plan' })).findByRole('region', { name: 'Agent' })
  expect(agent.textContent).toContain('Isolated by docker.')
  const button = screen.getByRole('button', { name: 'Start task' })
  await waitFor(() => expect(button.getAttribute('aria-disabled')).not.toBe('true'))
  fireEvent.click(button)
  await waitFor(() => expect(start).toHaveBeenCalled())
  for (const { body } of [plan.mock.lastCall![0], start.mock.lastCall![0]])
    expect(TaskRequest.parse(body)).toMatchObject({ agent: 'shell', image: 'node:24' })
})

test('a folder without Git is named at its field, which offers the folders of known projects', async () => {
  vi.spyOn(api, 'listProviders').mockResolvedValue({ items: [] } as never)
  vi.spyOn(api, 'getSandboxLimits').mockResolvedValue({ backends: [] } as never)
  vi.spyOn(api, 'listTraces').mockResolvedValue({ items: [{ cwd: '/p/a' }, { cwd: '/p/a' }, { cwd: null }, { cwd: '/p/b' }] } as never)
  vi.spyOn(api, 'planTask').mockResolvedValue(PLAN)
  useConnection.setState({ state: 'online' })
  window.history.replaceState(null, '', '/agents/tasks/new?directory=/p/plain')
  const { container } = render(
    <QueryClientProvider client={new QueryClient()}>
      <TooltipProvider>
        <NewTask />
      </TooltipProvider>
    </QueryClientProvider>,
  )
  expect(await screen.findByText(/^Not a Git repository: its files are copied without history/)).toBeTruthy()
  await waitFor(() => expect([...container.querySelectorAll('datalist option')].map((one) => one.getAttribute('value'))).toEqual(['/p/a', '/p/b'])) // prettier-ignore
})
