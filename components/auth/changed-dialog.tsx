'use client';

import { Modal } from '@/components/actions/modal';
import { Button } from '@/components/ui/button';

/** The two success texts of specification section 2, "Account screen". */
export function ChangedDialog({ onClose }: { onClose: () => void }) {
  return (
    <Modal
      title="Changed successfully"
      onClose={onClose}
      actions={
        <Button autoFocus onClick={onClose}>
          OK
        </Button>
      }
    >
      <p>The password has been changed successfully, you will be logged out.</p>
    </Modal>
  );
}
