import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { api } from '#renderer/api/client.ts'
import { exampleKeys } from '#renderer/api/examples.ts'
import type { ExampleFilter } from '#contracts/routes/factory.ts'
import { cursorQuery, BY_CURSOR } from '#renderer/ui/lists/pages.ts'
import type { SortKey } from './url.ts'

const LIST_PAGE = 100

export const useExampleList = (filter: ExampleFilter, sort: SortKey) =>
  useInfiniteQuery({
    queryKey: exampleKeys.list({ ...filter, sort }),
    queryFn: ({ pageParam, signal }) =>
      api.listExamples({ query: { ...filter, sort, limit: LIST_PAGE, ...cursorQuery(pageParam) }, signal }),
    ...BY_CURSOR,
    placeholderData: keepPreviousData,
  })

export const useExampleFacets = (filter: ExampleFilter) =>
  useQuery({
    queryKey: exampleKeys.facets(filter),
    queryFn: ({ signal }) => api.getExampleFacets({ query: filter, signal }),
    placeholderData: keepPreviousData,
  })

export const useExample = (id: string) =>
  useQuery({ queryKey: exampleKeys.one(id), queryFn: ({ signal }) => api.getExample({ params: { id }, signal }) })
