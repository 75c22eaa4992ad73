// Defines labeled form fields.
import { type Child, type FC, useState } from "hono/jsx/dom";
import type { Problem } from "../../schema/problem.ts";
import { Button } from "./components.tsx";
import { inputValue, isChecked } from "./events.ts";
import { ProblemCard } from "./problem-card.tsx";

type FieldProps = {
  readonly label: string;
  readonly name: string;
  readonly onValue: (value: string) => void;
  readonly value: string;
  readonly type?: string;
  readonly required?: boolean;
  readonly list?: string;
};

export const TextField: FC<FieldProps> = ({ label, onValue, ...attributes }) => (
  <label class="field">
    <span>{label}</span>
    <input type="text" autocomplete="off" onInput={(event: Event) => onValue(inputValue(event))} {...attributes} />
  </label>
);

type SelectProps = {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly onValue: (value: string) => void;
};

export const SelectField: FC<SelectProps> = ({ label, name, value, options, onValue }) => (
  <label class="field">
    <span>{label}</span>
    <select name={name} onChange={(event: Event) => onValue(inputValue(event))}>
      {options.map(([id, text]) => (
        <option key={id} value={id} selected={id === value}>
          {text}
        </option>
      ))}
    </select>
  </label>
);

type CheckProps = {
  readonly label: string;
  readonly name?: string;
  readonly checked?: boolean;
  readonly onValue: (on: boolean) => void;
};

export const CheckField: FC<CheckProps> = ({ label, checked, onValue, ...attributes }) => (
  <label class="check small">
    <input
      type="checkbox"
      checked={checked ?? false}
      onChange={(event: Event) => onValue(isChecked(event))}
      {...attributes}
    />{" "}
    {label}
  </label>
);

/** Handles the input, and returns the problem to show below it. */
type Submit<T extends unknown[] = []> = ((...input: T) => Promise<Problem | null>) | ((...input: T) => void);

type FileProps = {
  readonly label: string;
  readonly note: string;
  readonly accept: string;
  readonly name?: string;
  readonly onFile: Submit<[File]>;
};

export const FileField: FC<FileProps> = ({ label, note, onFile, ...attributes }) => {
  const [problem, setProblem] = useState<Problem | null>(null);
  const change = async (event: Event): Promise<void> => {
    const [file] = (event.target as HTMLInputElement).files ?? [];
    if (file) setProblem((await onFile(file)) ?? null);
  };
  return (
    <div class="contents">
      <label class="field">
        <span>{label}</span>
        <input type="file" onChange={(event: Event) => void change(event)} {...attributes} />
        <span class="quiet small">{note}</span>
      </label>
      {problem ? <ProblemCard key="problem" problem={problem} onRetry={null} /> : null}
    </div>
  );
};

export const Form: FC<{ submit: string; busy?: boolean; onSubmit: Submit; children?: Child }> = (props) => {
  const [problem, setProblem] = useState<Problem | null>(null);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setProblem(null);
    // A form that succeeded may be gone by now.
    const failed = await props.onSubmit();
    if (failed) setProblem(failed);
  };
  return (
    <form class="form" onSubmit={(event: Event) => void submit(event)}>
      {props.children}
      {problem ? <ProblemCard key="problem" problem={problem} onRetry={null} /> : null}
      <Button key="submit" type="submit" class="primary" disabled={props.busy ?? false}>
        {props.submit}
      </Button>
    </form>
  );
};
