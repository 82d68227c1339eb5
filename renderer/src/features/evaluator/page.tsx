import { lazy } from 'react'

const Exams = lazy(() => import('./exams-page.tsx'))
const Benchmarks = lazy(() => import('./benchmarks/page.tsx'))
const Answers = lazy(() => import('./answers/page.tsx'))
const Thermometer = lazy(() => import('./thermometer/page.tsx'))
const Sets = lazy(() => import('./sets/page.tsx'))

/** `/evaluator`: a tab by the first part of the address; everything else is an exam. */
export default function EvaluatorPage({ rest }: { rest: string }) {
  const [first = '', ...others] = rest.split('/')
  const below = others.join('/')
  if (first === 'benchmarks') return <Benchmarks rest={below} />
  if (first === 'answers') return <Answers rest={below} />
  if (first === 'sets') return <Sets rest={below} />
  if (rest === 'thermometer') return <Thermometer />
  return <Exams rest={rest} />
}
