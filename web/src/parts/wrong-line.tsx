interface WrongLineProps {
  readonly error: Error | null;
  /** What this means for the user. */
  readonly effect?: string;
  readonly isSmall?: boolean;
  readonly className?: string;
}

/** Why an action failed; nothing while it did not. */
export function WrongLine({ error, effect, isSmall = false, className = '' }: WrongLineProps) {
  if (!error) return null;
  return (
    <p className={`wrong ${isSmall ? 'small' : ''} ${className}`} role="alert">
      {error.message} {effect}
    </p>
  );
}
