import { Refusal } from './api/client'
import { tell } from './notices.svelte'

/** Wait for something; when the server refuses it, its sentence is shown. */
export async function notify<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    tell(error.message)
    return undefined
  }
}
