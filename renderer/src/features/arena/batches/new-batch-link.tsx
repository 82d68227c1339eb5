import { Plus } from 'lucide-react'
import { newBatchHref } from '#renderer/app/links.ts'
import { ButtonLink } from '#renderer/ui/link.tsx'

export const NewBatchLink = () => (
  <ButtonLink href={newBatchHref({})} look="primary">
    <Plus size={16} aria-hidden />
    New batch
  </ButtonLink>
)
