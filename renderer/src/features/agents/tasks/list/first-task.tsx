import { TextLink } from '#renderer/ui/link.tsx'
import { EmptyState } from '#renderer/ui/states.tsx'
import { NewTaskLink } from '../../new-links.tsx'

export const FirstTask = () => (
  <EmptyState title="No tasks yet" ghost={<Ghost />} action={<NewTaskLink />}>
    <p>
      Give an agent a task. It works in a sandbox on a copy of your repository, your checks run on the result, and you get a diff to review.
      Your repository doesn't change until you apply it.
    </p>
    <p className="mt-3">
      No API key is needed: choose a <TextLink href="/models">model that you trained</TextLink>, or a server on this machine that speaks the
      OpenAI or Anthropic API, such as Ollama or llama.cpp. With a key, set up a <TextLink href="/settings/providers">provider</TextLink>.
    </p>
  </EmptyState>
)

/** A drawing of a diff. */
const Ghost = () => (
  <svg width={260} height={80} viewBox="0 0 260 80">
    <rect x="10" y="6" width="150" height="10" rx="2" fill="var(--raised)" />
    <rect x="10" y="24" width="220" height="10" rx="2" fill="var(--bad)" opacity="0.4" />
    <rect x="10" y="40" width="190" height="10" rx="2" fill="var(--ok)" opacity="0.5" />
    <rect x="10" y="58" width="120" height="10" rx="2" fill="var(--raised)" />
  </svg>
)
