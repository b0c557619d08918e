/** What `peers.py` is asked to measure. */
export interface PeerManifest {
  readonly kernels: readonly PeerKernel[];
  /** How many items the greedy selection picks. */
  readonly picks: number;
  /** The size of the draws of fixed size. */
  readonly fixedSize: number;
  readonly runs: number;
  readonly seed: number;
}

export interface PeerKernel {
  readonly name: string;
  readonly n: number;
  /** A file as `writeKernel` makes it. */
  readonly file: string;
}

/** What `peers.py` measured. */
export interface PeerFigures {
  readonly versions: Readonly<Record<'python' | 'blas' | 'numpy' | 'scipy' | 'dppy', string>>;
  /** The threads of the linear algebra. */
  readonly threads: number;
  readonly kernels: readonly PeerKernelFigures[];
}

export interface PeerKernelFigures {
  readonly name: string;
  readonly n: number;
  readonly expectedSize: number;
  readonly greedy: PeerFigure & { readonly items: readonly number[] };
  readonly firstDraw: PeerFigure;
  readonly furtherDraw: PeerFigure;
  readonly firstFixed: PeerFigure;
  readonly furtherFixed: PeerFigure;
  /** What was changed in the kernel for DPPy to take it. */
  readonly note?: string;
}

export interface PeerFigure {
  /** The median of the runs; null where the library refused the work. */
  readonly ms: number | null;
  readonly runs: number;
  /** The library's words where it refused. */
  readonly refused?: string;
}
