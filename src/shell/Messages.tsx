import { useEffect } from 'react'
import toast from 'react-hot-toast/headless'
import { subscribe } from 'valtio'
import { Toaster } from '../ui/Toaster.tsx'
import { userResets } from '../store/session.ts'

/** Shows toasts, and removes them when the state of a person is reset, so that the next person does not see them. */
export function Messages() {
  // Synchronously, so that toasts for the next person, which come later, are kept.
  useEffect(() => subscribe(userResets, () => toast.remove(), true), [])
  return <Toaster />
}
