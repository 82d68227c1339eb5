import { newBatchHref, newTaskHref } from '#renderer/app/links.ts'
import { NewLink } from '#renderer/ui/link.tsx'

export const NewTaskLink = () => <NewLink href={newTaskHref} label="New task" />
export const NewBatchLink = () => <NewLink href={newBatchHref({})} label="New batch" />
