import { wordOf } from '../parts/status-badge.tsx';
import { modeChoices, usePlace } from '../session/session.tsx';

/** Whether every page is about what is live, about tests, or about both. */
export function ModeSwitch() {
  const { modeChoice, chooseMode } = usePlace();
  return (
    <fieldset className="segments side-mode">
      <legend className="unseen">Mode of all pages</legend>
      {modeChoices.map((choice) => (
        <button
          key={choice}
          type="button"
          aria-pressed={choice === modeChoice}
          onClick={() => chooseMode(choice)}
        >
          {wordOf(choice)}
        </button>
      ))}
    </fieldset>
  );
}
