import { ApiError } from './api/client'
import { showNotice } from './notices.svelte'

/** Await a request; an error from the server is shown as a notice, and the result is undefined. */
export async function showErrors<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    showNotice(error.message)
    return undefined
  }
}
