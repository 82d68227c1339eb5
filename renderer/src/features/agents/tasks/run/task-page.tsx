import type { Task } from '#contracts/entities/task.ts'
import { useTask } from '#renderer/api/tasks.ts'
import { RestoredWaits } from '#renderer/app/restored-items.tsx'
import { hasEnded } from '#renderer/app/words/tasks.ts'
import { FetchedPage } from '#renderer/ui/fetched.tsx'
import { useTitle } from '#renderer/ui/page.tsx'
import { ScrollRegion } from '#renderer/ui/scroll-region.tsx'
import { Handle, Pane, Split } from '#renderer/ui/splitter.tsx'
import { useSearchState } from '#renderer/ui/use-search.ts'
import { ALL_TASKS } from '../all-tasks.ts'
import { Review } from '../review/review.tsx'
import { Events } from './events.tsx'
import { Head } from './head.tsx'
import { Inputs } from './inputs.tsx'
import { MessageBox } from './message-box.tsx'
import { Outcome } from './outcome.tsx'
import { QuestionCard } from './question-card.tsx'
import { TaskSandbox } from './task-sandbox.tsx'

export default function TaskPage({ id }: { id: string }) {
  return (
    <FetchedPage query={useTask(id)} what="task" all={ALL_TASKS}>
      {(task) => <Shown task={task} />}
    </FetchedPage>
  )
}

function Shown({ task }: { task: Task }) {
  useTitle(task.title)
  const [search] = useSearchState()
  const isReview = search.get('tab') === 'review'
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <Head task={task} tab={isReview ? 'review' : 'work'} />
      <RestoredWaits id={task.id} className="mx-4 mt-3 shrink-0" />
      {isReview ? <Review task={task} /> : <Work task={task} />}
    </div>
  )
}

function Work({ task }: { task: Task }) {
  return (
    <Split id="task" panelIds={['events', 'sandbox']}>
      <Pane id="events" minSize="320px" defaultSize="55%">
        {task.question === null ? null : <QuestionCard key={task.question.id} id={task.id} question={task.question} />}
        <Events task={task} />
        <MessageBox task={task} />
      </Pane>
      <Handle label="Resize the steps" />
      <Pane id="sandbox" minSize="300px">
        <ScrollRegion label="Result and sandbox" className="relative flex min-h-0 flex-1 flex-col gap-6 overflow-y-auto px-4 py-3">
          {hasEnded(task) ? <Outcome task={task} /> : null}
          <TaskSandbox task={task} />
          <Inputs task={task} />
        </ScrollRegion>
      </Pane>
    </Split>
  )
}
