import { useEffect, useRef, useState } from 'react';

/** A field that is marked as wrong, or the first box of a group that is. */
const wrong = '[aria-invalid="true"], [role="group"]:has(> .mantine-InputWrapper-error) input';

/** Moves the focus to the first wrong field of a refused form, once the form shows what is wrong. */
export function useWrongField<Box extends HTMLElement = HTMLFormElement>() {
  const form = useRef<Box>(null);
  const [refusals, setRefusals] = useState(0);
  useEffect(() => {
    if (refusals === 0) return;
    // If no field is wrong, the button: it lost the focus while the answer was awaited.
    const target = form.current?.querySelector<HTMLElement>(wrong);
    (target ?? form.current?.querySelector<HTMLElement>('[type="submit"]'))?.focus();
  }, [refusals]);
  return { form, lead: () => setRefusals((count) => count + 1) };
}
