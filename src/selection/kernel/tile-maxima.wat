;; Largest token products of a tile: of each row (a token on the left) with the tokens of each item on the right, and of each column
;; (a token on the right) with the tokens of each item on the left. Four products at once; products are no NaN.
(module
  (import "env" "memory" (memory 1))
  ;; Addresses but for $width (columns), $items (on the right) and $lefts (items on the left): $ends has $items + 1 columns where items
  ;; begin and end, $leftEnds $lefts + 1 rows; $rowMax gets rows x $items values, $columnMax $lefts x $width.
  (func (export "maxima")
    (param $products i32) (param $width i32) (param $ends i32) (param $items i32) (param $leftEnds i32) (param $lefts i32)
    (param $rowMax i32) (param $columnMax i32)
    (local $bytes i32) (local $i i32) (local $j i32) (local $row i32) (local $rowEnd i32) (local $at i32) (local $end i32) (local $best i32)
    (local $four v128) (local $max v128) (local $one f32) (local $single f32)
    (local.set $bytes (i32.shl (local.get $width) (i32.const 2)))
    (local.set $row (i32.add (local.get $products) (i32.mul (i32.load (local.get $leftEnds)) (local.get $bytes))))
    (block $leftsDone (loop $nextLeft
      (br_if $leftsDone (i32.ge_u (local.get $i) (local.get $lefts)))
      (local.set $at (local.get $columnMax))
      (local.set $end (i32.add (local.get $columnMax) (local.get $bytes)))
      (block $filled (loop $nextFill
        (br_if $filled (i32.ge_u (local.get $at) (local.get $end)))
        (f32.store (local.get $at) (f32.const -2))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (br $nextFill)))
      (local.set $rowEnd (i32.add (local.get $products) (i32.mul
        (i32.load (i32.add (local.get $leftEnds) (i32.shl (i32.add (local.get $i) (i32.const 1)) (i32.const 2)))) (local.get $bytes))))
      (block $rowsDone (loop $nextRow
        (br_if $rowsDone (i32.ge_u (local.get $row) (local.get $rowEnd)))
        (local.set $j (i32.const 0))
        (local.set $best (local.get $columnMax))
        (local.set $at (local.get $row))
        (block $itemsDone (loop $nextItem
          (br_if $itemsDone (i32.ge_u (local.get $j) (local.get $items)))
          (local.set $end (i32.add (local.get $row) (i32.shl
            (i32.load (i32.add (local.get $ends) (i32.shl (i32.add (local.get $j) (i32.const 1)) (i32.const 2)))) (i32.const 2))))
          (local.set $max (v128.const f32x4 -2 -2 -2 -2))
          (block $foursDone (loop $nextFour
            (br_if $foursDone (i32.gt_u (i32.add (local.get $at) (i32.const 16)) (local.get $end)))
            (local.set $four (v128.load (local.get $at)))
            (local.set $max (f32x4.pmax (local.get $max) (local.get $four)))
            (v128.store (local.get $best) (f32x4.pmax (v128.load (local.get $best)) (local.get $four)))
            (local.set $at (i32.add (local.get $at) (i32.const 16)))
            (local.set $best (i32.add (local.get $best) (i32.const 16)))
            (br $nextFour)))
          (local.set $max (f32x4.pmax (local.get $max)
            (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $max) (local.get $max))))
          (local.set $max (f32x4.pmax (local.get $max)
            (i8x16.shuffle 4 5 6 7 0 1 2 3 12 13 14 15 8 9 10 11 (local.get $max) (local.get $max))))
          (local.set $single (f32x4.extract_lane 0 (local.get $max)))
          (block $onesDone (loop $nextOne
            (br_if $onesDone (i32.ge_u (local.get $at) (local.get $end)))
            (local.set $one (f32.load (local.get $at)))
            (local.set $single (f32.max (local.get $single) (local.get $one)))
            (f32.store (local.get $best) (f32.max (f32.load (local.get $best)) (local.get $one)))
            (local.set $at (i32.add (local.get $at) (i32.const 4)))
            (local.set $best (i32.add (local.get $best) (i32.const 4)))
            (br $nextOne)))
          (f32.store (local.get $rowMax) (local.get $single))
          (local.set $rowMax (i32.add (local.get $rowMax) (i32.const 4)))
          (local.set $j (i32.add (local.get $j) (i32.const 1)))
          (br $nextItem)))
        (local.set $row (i32.add (local.get $row) (local.get $bytes)))
        (br $nextRow)))
      (local.set $columnMax (i32.add (local.get $columnMax) (local.get $bytes)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $nextLeft))))
)
