'use client';

import { MessageDialog } from './dialog';

/** What is said once a password has been changed. */
export function ChangedDialog({ onClose }: { onClose: () => void }) {
  return (
    <MessageDialog title="Changed successfully" onClose={onClose}>
      <p>The password has been changed successfully, you will be logged out.</p>
    </MessageDialog>
  );
}
