import { LeaveGuard, type Place } from '../../parts/leave-guard.tsx';

interface UnsavedMappingProps {
  readonly isChanged: boolean;
  /** Of the template. */
  readonly name: string;
}

/** What of an address decides which mapping is being written. */
const placeOf = ({ pathname, search }: Place) => {
  const { key, status, mode } = search as { key?: string; status?: string; mode?: string };
  return JSON.stringify([pathname, key, status, mode]);
};

/** Asks before a half-written mapping is left. */
export function UnsavedMapping({ isChanged, name }: UnsavedMappingProps) {
  return (
    <LeaveGuard
      isAtStake={isChanged}
      title={`Leave the mapping of ${name} unsaved?`}
      placeOf={placeOf}
      stay="Keep writing"
      leave="Discard changes"
    >
      Your changes are lost. Sends use the stored mapping.
    </LeaveGuard>
  );
}
