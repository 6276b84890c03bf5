# Switches of a thread that few programs use.

cdef bint layout_enforced() noexcept         # `.grad` gets the layout of its leaf
cdef bint view_replay_forced() noexcept      # views keep the operators that made them
