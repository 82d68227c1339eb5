import { lazy } from 'react'
import { SandboxList } from './sandbox-list.tsx'

const SandboxPage = lazy(() => import('./sandbox-page.tsx'))

/** `/sandboxes`, and one address per sandbox. */
export default function SandboxesPage({ rest }: { rest: string }) {
  return rest === '' ? <SandboxList /> : <SandboxPage key={rest} id={rest} />
}
