import './engines.ts'
import './jitless.ts'
import './ui/tokens.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { firstAnswer } from './api/connection.ts'
import { createHandlers } from './api/messages.ts'
import { createQueryClient } from './api/query-client.ts'
import { signIn } from './api/session.ts'
import { startLive } from './api/start.ts'
import { App } from './app/app.tsx'
import { MESSAGES } from './app/features.ts'
import { startNotifier } from './app/notifier.ts'
import { applyTheme } from './stores/theme.ts'
import { describeError } from './ui/states.tsx'
import { toast } from './ui/toast.tsx'

/** How long a busy server is waited for, in ms; after that the page is drawn empty. */
const FIRST_ANSWER_MS = 300

applyTheme()
await signIn()

const queries = createQueryClient((title, error) => {
  const { message, hint } = describeError(error)
  toast.error(title ?? 'That did not work', [message, hint].filter(Boolean).join(' '))
})
startLive(createHandlers(queries, MESSAGES))
startNotifier(queries)
await firstAnswer(FIRST_ANSWER_MS)

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id "root".')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
)
