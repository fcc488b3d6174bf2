import { Modal, type ModalProps } from '@mantine/core';
import { useRef, useState } from 'react';
import { LeaveGuard } from './leave-guard.tsx';

type TextField = HTMLInputElement | HTMLTextAreaElement;

const isTextField = (target: EventTarget): target is TextField =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement &&
    /^(text|email|password|search|tel|url)$/.test(target.type));

/** A dialog with fields: Esc and a click beside it ask first once something was typed. */
export function TypedModal({ onClose, children, ...modal }: ModalProps) {
  const typed = useRef(new Set<TextField>());
  const [isClosing, setIsClosing] = useState(false);
  const note = ({ target }: { target: EventTarget }) => {
    if (isTextField(target)) typed.current.add(target);
  };
  // A field that is gone has been sent.
  const close = () =>
    [...typed.current].some((field) => field.isConnected && field.value !== '')
      ? // Later: the question would hear the same press of Esc, and close.
        setTimeout(() => setIsClosing(true))
      : onClose();
  return (
    <>
      <Modal {...modal} onClose={close} closeOnEscape={!isClosing}>
        <div onInput={note}>{children}</div>
      </Modal>
      <LeaveGuard
        isAtStake={false}
        isClosing={isClosing}
        title="Close without saving?"
        leave="Discard what I typed"
        stay="Keep typing"
        onStay={() => setIsClosing(false)}
        onClose={() => {
          setIsClosing(false);
          onClose();
        }}
      >
        What you have typed is lost then.
      </LeaveGuard>
    </>
  );
}
