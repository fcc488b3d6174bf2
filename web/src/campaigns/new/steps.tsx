import { IconCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { CampaignDetails, Template } from '../../api/types.ts';
import type { DraftLine } from '../../templates/mapping/mapping-draft.ts';

export const stepNames = {
  template: 'Template',
  recipients: 'Recipients',
  pace: 'Pace and time',
  start: 'Check and start',
} as const;

export type Step = keyof typeof stepNames;
export type DraftStep = Exclude<Step, 'template'>;

const steps = Object.keys(stepNames) as Step[];

/** What every step after the first knows. */
export interface StepProps {
  readonly campaign: CampaignDetails;
  readonly template: Template;
  /** The places of the template that variables fill. */
  readonly lines: readonly DraftLine[];
}

interface StepsProps {
  readonly step: Step;
  /** The draft, once there is one. */
  readonly campaignId?: string;
  /** The last step that can be gone to. */
  readonly reached?: Step;
}

/** How a campaign is made, and where one is. */
export function Steps({ step, campaignId, reached = step }: StepsProps) {
  const at = steps.indexOf(step);
  return (
    <ol className="draft-steps" aria-label="Steps">
      {steps.map((each, index) => {
        const isDone = index < at;
        const label = (
          <>
            <span className="draft-step-mark" data-done={isDone} data-now={index === at}>
              {isDone ? <IconCheck size={14} stroke={2.4} aria-label="Done:" /> : index + 1}
            </span>
            <span className="draft-step-name">{stepNames[each]}</span>
          </>
        );
        const isOpen =
          campaignId !== undefined &&
          each !== 'template' &&
          each !== step &&
          index <= steps.indexOf(reached);
        return (
          <li key={each} {...(index === at && { 'aria-current': 'step' })}>
            {isOpen ? (
              <Link
                to="/campaigns/$draftId/draft"
                params={{ draftId: campaignId }}
                search={{ step: each }}
                className="draft-step"
              >
                {label}
              </Link>
            ) : (
              <span className="draft-step">{label}</span>
            )}
          </li>
        );
      })}
    </ol>
  );
}
