import { useEffect } from 'react'
import toast from 'react-hot-toast/headless'
import { subscribe } from 'valtio'
import { Toaster } from '../ui/Toaster.tsx'
import { userResets } from '../store/session.ts'

/** Toasts, which only the person for whom they are may see. */
export function Messages() {
  // Synchronously, so that what is shown to the next person stays.
  useEffect(() => subscribe(userResets, () => toast.remove(), true), [])
  return <Toaster />
}
