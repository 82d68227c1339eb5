import { type Chat, createChats } from './chats.ts'

const chats = createChats(sessionStorage)
window.addEventListener('pagehide', chats.saveAll)

export const changeChat = chats.change

export function useChat(id: string): Chat & { isTooLong: boolean } {
  const chat = chats.store((all) => chats.chatIn(all, id))
  return { ...chat, isTooLong: chats.store(({ tooLong }) => tooLong.has(id)) }
}
